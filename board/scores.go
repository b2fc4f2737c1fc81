package board

import (
	"time"

	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// Score is what a member has: 1 to 32 numbers, the columns. See package rules.
type Score = rules.Score

// Value is the value of one column. See package rules.
type Value = rules.Value

// Column is one number of a score: its kind, its order, its bounds. See package rules.
type Column = rules.Column

// ColumnKind is the kind of the values of a column. See package rules.
type ColumnKind = rules.ColumnKind

// Order says whether higher values of a column rank first. See package rules.
type Order = rules.Order

// Op says how a submission is combined with the score that the member has. See package rules.
type Op = rules.Op

// Ties says who stands first among equals. See package rules.
type Ties = rules.Ties

// Absence says where scores rank that have no value in a column. See package rules.
type Absence = rules.Absence

// ScoreError says which column of a score is impossible, and why. See package rules.
type ScoreError = rules.ScoreError

// The values of Kind, Order, Op, Ties and Absence.
const (
	Int64   = rules.Int64
	Float64 = rules.Float64

	Desc = rules.Desc
	Asc  = rules.Asc

	Best  = rules.Best
	Last  = rules.Last
	First = rules.First
	Sum   = rules.Sum
	Min   = rules.Min
	Max   = rules.Max

	BestOf    = rules.BestOf
	LastOf    = rules.LastOf
	DropWorst = rules.DropWorst

	FirstToReach = rules.FirstToReach
	LastToReach  = rules.LastToReach
	ByMember     = rules.ByMember

	AbsentFirst = rules.AbsentFirst
	AbsentLast  = rules.AbsentLast
)

// Absent is the value of a column that a submission leaves out: see Column.Absent.
var Absent = rules.Absent

// Window is how a board is cut in time. See package window.
type Window = window.Window

// Season is a period with a name of its own. See package window.
type Season = window.Season

// Period is one run of a window. See package window.
type Period = window.Period

// OutsideError says which periods are before and after a time that is in none. See package window.
type OutsideError = window.OutsideError

// Windows in UTC, which take no late results and keep all that are closed. Others are written out: Window{Kind: "week", TimeZone:
// "Asia/Shanghai", Grace: window.Duration(10 * time.Minute), Keep: 8}.
var (
	All   = Window{Kind: window.All}
	Hour  = Window{Kind: window.Hour}
	Day   = Window{Kind: window.Day}
	Week  = Window{Kind: window.Week}
	Month = Window{Kind: window.Month}
	Year  = Window{Kind: window.Year}
)

// Ints returns a score of int64 columns: Ints(15), Ints(9, 935).
func Ints(values ...int64) Score { return rules.Ints(values...) }

// Floats returns a score of float64 columns.
func Floats(values ...float64) Score { return rules.Floats(values...) }

// Values returns a score of columns of either kind: Values(Int(3), Float(1.5)).
func Values(values ...Value) Score { return rules.Values(values...) }

// Int returns a value of an int64 column.
func Int(v int64) Value { return rules.Int(v) }

// Decimal returns a value of a column with decimals: Decimal(114, 2) is 1.14.
func Decimal(units int64, decimals int) Value { return rules.Decimal(units, decimals) }

// Float returns a value of a float64 column.
func Float(v float64) Value { return rules.Float(v) }

// Rolling returns the window of the last span of time, and its name: Rolling("3h", 3*time.Hour). A result leaves it when it is a span old. See
// window.Window for buckets, which take less space.
func Rolling(name string, span time.Duration) Window {
	return Window{Name: name, Kind: window.Rolling, Span: window.Duration(span)}
}

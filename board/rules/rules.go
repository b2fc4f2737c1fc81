package rules

import (
	"maps"
	"math"
	"slices"
)

// ColumnKind says what a column's values are.
type ColumnKind string

const (
	// Int64: whole numbers, exact over the whole range of int64. The default.
	Int64 ColumnKind = "int64"
	// Float64: finite floating-point numbers, which are binary: 0.1 and 0.2 add up to 0.30000000000000004. Hundredths that must add up
	// exactly are for an Int64 column with Decimals.
	Float64 ColumnKind = "float64"
)

// Order says which values of a column are better.
type Order string

const (
	// Desc: a higher value is better. The default.
	Desc Order = "desc"
	// Asc: a lower value is better, as in a race.
	Asc Order = "asc"
)

// Op says how a submission is combined with the member's present score.
type Op string

const (
	// Best keeps the better score of the two, as a whole: the default.
	Best Op = "best"
	// Last takes the score of the result that happened last, and of those of one time that which arrived last: a result that is delivered late
	// does not replace a newer one.
	Last Op = "last"
	// First takes the score of the result that happened first, and of those of one time that which arrived first.
	First Op = "first"
	// Sum adds each column.
	Sum Op = "sum"
	// Min keeps the lower value of each column, whatever its order.
	Min Op = "min"
	// Max keeps the higher value of each column, whatever its order.
	Max Op = "max"
	// BestOf adds up the best k results: see NewKeeping. Results are ranked as whole scores, and each column is added by itself.
	BestOf Op = "bestof"
	// LastOf adds up the last k results by the time when they happened, and among those of one time by their arrival.
	LastOf Op = "lastof"
	// DropWorst adds up all results but the worst k, ranked as those of BestOf. The score is 0 until there are more than k.
	DropWorst Op = "dropworst"
)

// ops are all operators: those that may be a column's own, behind Best; keeping are those that keep results.
var (
	ops     = []Op{Best, Last, First, Sum, Min, Max}
	keeping = []Op{BestOf, LastOf, DropWorst}
)

// keeps reports whether the operator keeps results.
func (o Op) keeps() bool { return slices.Contains(keeping, o) }

// byColumn reports whether the operator works on each column by itself.
func (o Op) byColumn() bool { return o == Sum || o == Min || o == Max }

// Ties says who stands first among equal scores.
type Ties string

const (
	// FirstToReach: the member that reached the score earlier or, at equal times, whose submission arrived earlier. The default.
	FirstToReach Ties = "first"
	// LastToReach: the member that reached the score later or, at equal times, whose submission arrived later.
	LastToReach Ties = "last"
	// ByMember: the member whose bytes sort first.
	ByMember Ties = "member"
)

// Absence says where a column that may be absent ranks those without a value.
type Absence string

const (
	// AbsentFirst: before all values.
	AbsentFirst Absence = "first"
	// AbsentLast: behind all values.
	AbsentLast Absence = "last"
)

// Column is one number of a score.
type Column struct {
	// Name is at most MaxColumnName bytes of UTF-8 without control characters, and unique in its board. The default is score for the
	// first column, score2 for the second, and so on.
	Name string     `json:"name,omitempty"`
	Kind ColumnKind `json:"kind,omitempty"` // the default is Int64
	// Decimals is how many decimals the values of an Int64 column have, 0 to MaxDecimals: with 2 they are 1.14 or 3.00, and add up exactly.
	Decimals int   `json:"decimals,omitempty"`
	Order    Order `json:"order,omitempty"` // the default is Desc
	// Op is the column's own operator: Sum, Min, Max, Last or First. Only a board whose operator is Sum, Min or Max may set it. The
	// default is the board's operator.
	Op Op `json:"op,omitempty"`
	// Min is the least value that the column may have, and Max the greatest, nil for no bound. The board refuses a submission with
	// a value outside the bounds or, in a column that is added up, one that would take the sum outside them. If there are more than four columns, an
	// Int64 column with both bounds takes only the bits that its range needs, and any other column 64. All of them may take 256 bits; with
	// ByMember, 384.
	Min *Value `json:"min,omitempty"`
	// Max is the greatest value that the column may have: see Min.
	Max *Value `json:"max,omitempty"`
	// Absent says that a submission may leave the column out, as Absent, and where those without a value rank. Operators of columns ignore what is
	// absent: a sum, a minimum or the last value is that of the values which were given. Best, Last and First take scores as they are. In an Int64
	// column absence takes the place of one value: the best of all int64 with AbsentFirst, the worst with AbsentLast. The board refuses that value.
	Absent Absence `json:"absent,omitempty"`
	// Of makes it a computed column: the sum of other columns, by name, each with its weight. It is not submitted: the rules compute it of the
	// columns that the operator has combined. What is absent counts as 0. If all these columns are of Int64, so is this one, and exact; it has as
	// many Decimals as columns and weights need. Otherwise it is Float64. A sum that is out of range is refused.
	Of map[string]Value `json:"of,omitempty"`
}

// MaxColumnName is the length of the longest name of a column, in bytes.
const MaxColumnName = 64

// Rules say what a board's scores mean. They do not change; make them with New.
type Rules struct {
	columns  []Column // defaults filled in
	op       Op
	ties     Ties
	timeOnly bool    // forms have no arrivals: see TimeOnly
	k        int     // of an operator that keeps results, else 0
	words    int     // of 64 bits, that the columns take in a form
	fields   []field // of the columns, if they are packed
	timed    []int   // the columns that go by the times of results; the first one stands for all if the board's operator does
	given    int     // the number of columns that are submitted
	sums     []sum   // of the computed columns
}

// field says how a packed column is stored.
type field struct {
	width uint8  // in bits
	kind  uint8  // of its values, below a width of 64
	flip  uint64 // all ones if the code falls as the value rises, below a width of 64
	base  uint64 // the value is base + (code ^ flip), below a width of 64
	none  uint64 // the code of Absent; one that no value has if the column may not be absent, below a width of 64
}

// sum is the sum of a computed column.
type sum struct {
	column int
	terms  []term
}

// term is a column of a sum.
type term struct {
	column int
	factor int64   // units of the sum for one unit of the column, in a sum of Int64
	weight float64 // in a sum of Float64
}

// Columns returns the columns, defaults filled in: a copy. O(columns).
func (r *Rules) Columns() []Column {
	columns := slices.Clone(r.columns)
	for i := range columns {
		c := &columns[i]
		c.Min, c.Max, c.Of = c.Min.copy(), c.Max.copy(), maps.Clone(c.Of)
	}
	return columns
}

// Op returns the operator.
func (r *Rules) Op() Op { return r.op }

// Ties returns the tie rule.
func (r *Rules) Ties() Ties { return r.ties }

// exactFloats is 2^53: from there on a float64 may be the nearest one of an integer that is another.
const exactFloats = 1 << 53

// value converts a value to the column's kind. Errors: ErrKind, ErrNotFinite, ErrAbsent.
func (c *Column) value(v Value) (Value, error) {
	if v.IsAbsent() {
		if c.Absent == "" {
			return v, ErrAbsent
		}
		return v, nil
	}
	if !v.finite() {
		return v, ErrNotFinite
	}
	ok := true
	switch {
	case c.Kind == Int64 && v.IsFloat() && c.Decimals == 0:
		f := v.Float()
		if ok = f == math.Trunc(f) && math.Abs(f) < exactFloats; ok {
			v = Int(int64(f))
		}
	case c.Kind == Int64:
		if v.IsFloat() {
			v, ok = v.short()
		}
		if ok && int(v.kind) != c.Decimals {
			v, ok = v.scaled(c.Decimals)
		}
	case v.kind == 0:
		f := float64(int64(v.bits))
		ok = f < math.MaxInt64 && int64(f) == int64(v.bits)
		v = Float(f)
	default:
		v = Float(v.Float())
	}
	if !ok {
		return v, ErrKind
	}
	return v, nil
}

// copy returns a copy that others may write to.
func (v *Value) copy() *Value {
	if v == nil {
		return nil
	}
	return new(*v)
}

func or[T ~string](v, otherwise T) T {
	if v == "" {
		return otherwise
	}
	return v
}

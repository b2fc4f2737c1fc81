package events

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Options say how an input is read. The zero value reads one column of scores, in the unit of the first row's time.
type Options struct {
	// Columns are the names of the columns of a score, in order. None means one, Single, which may be called delta instead.
	Columns []string
	// Absent are those of Columns that a row may leave out: an empty field is board.Absent.
	Absent []string
	// Ignore names columns, as the file has them, that are not read. AllUnknown stands for all that have no meaning.
	Ignore []string
	// Rename gives columns another name than the file does: the file's name is the key. The file must have them.
	Rename map[string]string
	// Unit is the unit of all times. Auto means that the first row decides.
	Unit Unit
	// MaxAhead is how far a row may be ahead of the rows around it: see the package. 0 means DefaultMaxAhead, Forever that a row may have any
	// time.
	MaxAhead time.Duration
}

// AllUnknown in Options.Ignore stands for all columns that have no meaning.
const AllUnknown = "*"

const (
	// DefaultMaxAhead is ten years. The longest pause in 110 years of international football was three years, and a tournament every four
	// years has had longer pauses only in world wars.
	DefaultMaxAhead = 10 * 365 * 24 * time.Hour
	// Forever is a MaxAhead without a bound.
	Forever time.Duration = 1<<63 - 1
)

// reserved are the columns that do not belong to a score.
var reserved = []string{"time", "board", "member", "op"}

// Validate returns one error that names every impossible value, or nil. O(columns squared).
func (o Options) Validate() error {
	var all []error
	for _, name := range reserved {
		if slices.Contains(o.Columns, name) {
			all = append(all, fmt.Errorf("a column of a score is called %q, which means something else in an input", name))
		}
	}
	names := map[string]string{}
	for _, old := range slices.Sorted(maps.Keys(o.Rename)) {
		name := o.Rename[old]
		if slices.Contains(o.Ignore, old) {
			all = append(all, fmt.Errorf("column %q is renamed and ignored", old))
		}
		if other, twice := names[name]; twice {
			all = append(all, fmt.Errorf("columns %q and %q are both renamed to %q", other, old, name))
		}
		names[name] = old
	}
	if o.Unit > Nanoseconds {
		all = append(all, fmt.Errorf("unit is %d, want Auto to Nanoseconds", o.Unit))
	}
	if o.MaxAhead < 0 {
		all = append(all, fmt.Errorf("MaxAhead is %v, want 0 or more", o.MaxAhead))
	}
	return errors.Join(all...)
}

// columns returns the names of a score's columns.
func (o Options) columns() []string {
	if len(o.Columns) == 0 {
		return []string{Single}
	}
	return o.Columns
}

// maxAhead returns the bound in whole seconds, and false where there is none.
func (o Options) maxAhead() (int64, bool) {
	if o.MaxAhead == 0 {
		o.MaxAhead = DefaultMaxAhead
	}
	return int64(o.MaxAhead / time.Second), o.MaxAhead != Forever
}

// Single is the default name of a board's only column. In an input that column is called score or delta.
const Single = "score"

// delta is the other name of Single.
const delta = "delta"

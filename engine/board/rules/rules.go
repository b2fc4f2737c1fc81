package rules

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what a column's values are.
type Kind string

const (
	// Int64: whole numbers, exact over the whole range of int64. The default.
	Int64 Kind = "int64"
	// Float64: finite floating-point numbers, which are binary: 0.1 and 0.2 add up to 0.30000000000000004. Hundredths that must add up
	// exactly are counted in an Int64 column.
	Float64 Kind = "float64"
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
	// Last replaces the score: the submission that arrives last counts, even if it happened earlier.
	Last Op = "last"
	// First keeps the score that arrived first, even if another submission happened earlier.
	First Op = "first"
	// Sum adds each column.
	Sum Op = "sum"
	// Min keeps the lower value of each column, whatever its order.
	Min Op = "min"
	// Max keeps the higher value of each column, whatever its order.
	Max Op = "max"
)

// ops are all operators.
var ops = []Op{Best, Last, First, Sum, Min, Max}

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

// Column is one number of a score.
type Column struct {
	// Name is at most MaxColumnName bytes of UTF-8 without control characters, and unique in its board. The default is score for the
	// first column, score2 for the second, and so on.
	Name  string `json:"name,omitempty"`
	Kind  Kind   `json:"kind,omitempty"`  // the default is Int64
	Order Order  `json:"order,omitempty"` // the default is Desc
	// Op is the column's own operator: Sum, Min, Max, Last or First. Only a board whose operator is Sum, Min or Max may set it. The
	// default is the board's operator.
	Op Op `json:"op,omitempty"`
	// Min and Max are the least and the greatest value that the column may have, nil for no bound. The board refuses a submission with
	// a value outside the bounds or, in a Sum column, one that would take the sum outside them.
	Min *Value `json:"min,omitempty"`
	Max *Value `json:"max,omitempty"`
}

// MaxColumnName is the length of the longest name of a column, in bytes.
const MaxColumnName = 64

// Rules say what a board's scores mean. They do not change; make them with New.
type Rules struct {
	columns []Column // defaults filled in
	op      Op
	ties    Ties
}

// New returns the rules of these columns, operator and tie rule. Zero values stand for their defaults; no columns stand for one
// column. Error: one that wraps ErrRules and names every impossible value.
func New(columns []Column, op Op, ties Ties) (*Rules, error) {
	r := &Rules{columns: slices.Clone(columns), op: op, ties: ties}
	r.fill()
	if err := r.validate(); err != nil {
		return nil, err
	}
	for i := range r.columns { // copies of the bounds, converted to the column's kind: the caller may modify its own
		c := &r.columns[i]
		c.Min, c.Max = c.ownBound(c.Min), c.ownBound(c.Max)
	}
	return r, nil
}

// fill fills in the defaults.
func (r *Rules) fill() {
	if len(r.columns) == 0 {
		r.columns = []Column{{}}
	}
	r.op, r.ties = or(r.op, Best), or(r.ties, FirstToReach)
	for i := range r.columns {
		c := &r.columns[i]
		name := "score"
		if i > 0 {
			name = fmt.Sprintf("score%d", i+1)
		}
		c.Name, c.Kind, c.Order = or(c.Name, name), or(c.Kind, Int64), or(c.Order, Desc)
		if c.Op == r.op && r.op.byColumn() {
			c.Op = ""
		}
	}
}

func or[T ~string](v, otherwise T) T {
	if v == "" {
		return otherwise
	}
	return v
}

// ownBound returns a copy of a bound, converted to the column's kind.
func (c *Column) ownBound(v *Value) *Value {
	if v == nil {
		return nil
	}
	own, _ := c.value(*v)
	return &own
}

// copy returns a copy that others may write to.
func (v *Value) copy() *Value {
	if v == nil {
		return nil
	}
	return new(*v)
}

func (r *Rules) validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrRules}, args...)...))
	}
	if len(r.columns) > MaxColumns {
		bad("%d columns, want 1 to %d", len(r.columns), MaxColumns)
	}
	if !slices.Contains(ops, r.op) {
		bad("op is %q, want one of %v", r.op, ops)
	}
	if ties := []Ties{FirstToReach, LastToReach, ByMember}; !slices.Contains(ties, r.ties) {
		bad("ties is %q, want one of %v", r.ties, ties)
	}
	for i := range r.columns {
		r.validateColumn(i, bad)
	}
	return errors.Join(errs...)
}

// validateColumn calls bad for every impossible value of column i.
func (r *Rules) validateColumn(i int, bad func(format string, args ...any)) {
	c := &r.columns[i]
	if len(c.Name) > MaxColumnName {
		bad("name of column %d has %d bytes, want at most %d", i, len(c.Name), MaxColumnName)
	}
	if !utf8.ValidString(c.Name) || strings.ContainsFunc(c.Name, unicode.IsControl) { // JSON would store another name
		bad("name of column %d, %q, is not UTF-8 without control characters", i, c.Name)
	}
	if slices.ContainsFunc(r.columns[:i], func(other Column) bool { return other.Name == c.Name }) {
		bad("column %q is there twice", c.Name)
	}
	if c.Kind != Int64 && c.Kind != Float64 {
		bad("kind of column %q is %q, want %s or %s", c.Name, c.Kind, Int64, Float64)
		return
	}
	if c.Order != Desc && c.Order != Asc {
		bad("order of column %q is %q, want %s or %s", c.Name, c.Order, Desc, Asc)
	}
	switch {
	case c.Op != "" && !r.op.byColumn():
		bad("column %q has an op, %q, where the board's is %s", c.Name, c.Op, r.op)
	case c.Op != "" && !slices.Contains(ops[1:], c.Op):
		bad("op of column %q is %q, want one of %v", c.Name, c.Op, ops[1:])
	}
	for _, bound := range []*Value{c.Min, c.Max} {
		if bound != nil {
			if _, err := c.value(*bound); err != nil {
				bad("bound %v of column %q: %w", *bound, c.Name, err)
				return
			}
		}
	}
	if c.Min != nil && c.Max != nil && compare(*c.ownBound(c.Min), *c.ownBound(c.Max)) > 0 {
		bad("min of column %q is %v, more than max, %v", c.Name, *c.Min, *c.Max)
	}
}

// Columns returns the columns, defaults filled in: a copy. O(columns).
func (r *Rules) Columns() []Column {
	columns := slices.Clone(r.columns)
	for i := range columns {
		c := &columns[i]
		c.Min, c.Max = c.Min.copy(), c.Max.copy()
	}
	return columns
}

// Op returns the operator.
func (r *Rules) Op() Op { return r.op }

// Ties returns the tie rule.
func (r *Rules) Ties() Ties { return r.ties }

// value converts a value to the column's kind. Errors: ErrKind, ErrNotFinite.
func (c *Column) value(v Value) (Value, error) {
	switch {
	case v.float && (math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)):
		return v, ErrNotFinite
	case c.Kind == Int64 && v.float:
		return v, ErrKind
	case c.Kind == Float64 && !v.float:
		f := float64(int64(v.bits))
		if f >= math.MaxInt64 || int64(f) != int64(v.bits) {
			return v, ErrKind
		}
		return Float(f), nil
	}
	return v, nil
}

package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// New returns the rules of these columns, operator and tie rule. Zero values stand for their defaults; no columns stand for one
// column. Error: one that wraps ErrRules and names every impossible value.
func New(columns []Column, op Op, ties Ties) (*Rules, error) { return NewKeeping(columns, op, 0, ties) }

// NewKeeping is New with the k of BestOf, LastOf and DropWorst: 1 to MaxK, and 0 with every other operator. These operators add up int64
// columns, perhaps with decimals.
func NewKeeping(columns []Column, op Op, k int, ties Ties) (*Rules, error) {
	r := &Rules{columns: slices.Clone(columns), op: op, k: k, ties: ties}
	r.fill()
	if err := r.validate(); err != nil {
		return nil, err
	}
	for i := range r.columns { // copies of the bounds, converted to the column's kind: the caller may modify its own
		c := &r.columns[i]
		c.Min, c.Max = c.ownBound(c.Min), c.ownBound(c.Max)
	}
	if err := r.layOut(); err != nil {
		return nil, err
	}
	r.findTimed()
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
		c.Name, c.Order = or(c.Name, name), or(c.Order, Desc)
		if c.Of == nil {
			c.Kind = or(c.Kind, Int64)
		}
		if c.Op == r.op && r.op.byColumn() {
			c.Op = ""
		}
	}
	r.prepareSums()
	for i := range r.columns {
		r.columns[i].Kind = or(r.columns[i].Kind, Int64)
	}
}

// ownBound returns a copy of a bound, converted to the column's kind.
func (c *Column) ownBound(v *Value) *Value {
	if v == nil {
		return nil
	}
	own, _ := c.value(*v)
	return &own
}

func (r *Rules) validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrRules}, args...)...))
	}
	if len(r.columns) > MaxColumns {
		bad("%d columns, want 1 to %d", len(r.columns), MaxColumns)
	}
	if all := slices.Concat(ops, keeping); !slices.Contains(all, r.op) {
		bad("op is %q, want one of %v", r.op, all)
	}
	if ties := []Ties{FirstToReach, LastToReach, ByMember}; !slices.Contains(ties, r.ties) {
		bad("ties is %q, want one of %v", r.ties, ties)
	}
	for i := range r.columns {
		if r.validateColumn(i, bad); r.columns[i].Of != nil {
			r.validateSum(i, bad)
		}
	}
	if r.given == 0 {
		bad("all columns are computed")
	}
	if len(errs) == 0 {
		r.validateKept(bad)
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
	if c.Decimals < 0 || c.Decimals > MaxDecimals || c.Decimals > 0 && c.Kind == Float64 {
		bad("decimals of column %q, of kind %s, is %d, want 0 to %d in a column of %s", c.Name, c.Kind, c.Decimals, MaxDecimals, Int64)
		return
	}
	if c.Order != Desc && c.Order != Asc {
		bad("order of column %q is %q, want %s or %s", c.Name, c.Order, Desc, Asc)
	}
	if c.Absent != "" && c.Absent != AbsentFirst && c.Absent != AbsentLast {
		bad("absent of column %q is %q, want %s or %s", c.Name, c.Absent, AbsentFirst, AbsentLast)
		return
	}
	switch {
	case c.Of != nil: // see validateSum
	case c.Op != "" && !r.op.byColumn():
		bad("column %q has an op, %q, where the board's is %s", c.Name, c.Op, r.op)
	case c.Op != "" && !slices.Contains(ops[1:], c.Op):
		bad("op of column %q is %q, want one of %v", c.Name, c.Op, ops[1:])
	}
	for _, bound := range []*Value{c.Min, c.Max} {
		if bound != nil {
			_, err := c.value(*bound)
			if bound.IsAbsent() {
				err = ErrAbsent
			}
			if err != nil {
				bad("bound %v of column %q: %w", *bound, c.Name, err)
				return
			}
		}
	}
	for _, bound := range []*Value{c.Min, c.Max} {
		if bound != nil && c.isReserved(*c.ownBound(bound)) {
			bad("min or max of column %q is %v, whose place absent values take", c.Name, *bound)
		}
	}
	if c.Min != nil && c.Max != nil && compare(*c.ownBound(c.Min), *c.ownBound(c.Max)) > 0 {
		bad("min of column %q is %v, more than max, %v", c.Name, *c.Min, *c.Max)
	}
}

// validateKept calls bad for what is impossible with k.
func (r *Rules) validateKept(bad func(format string, args ...any)) {
	if !r.op.keeps() {
		if r.k != 0 {
			bad("k is %d, and op %s has none: it is for %v", r.k, r.op, keeping)
		}
		return
	}
	if r.k < 1 || r.k > MaxK {
		bad("k is %d, want 1 to %d with op %s", r.k, MaxK, r.op)
	}
	for i := range r.columns {
		c := &r.columns[i]
		bounded := Column{Min: c.ownBound(c.Min), Max: c.ownBound(c.Max)}
		switch {
		case c.Kind == Float64:
			bad("kind of column %q is %s, and op %s adds up %s only, perhaps with decimals", c.Name, c.Kind, r.op, Int64)
		case r.op == DropWorst && !bounded.within(Value{kind: uint8(c.Decimals)}):
			bad("min and max of column %q leave out 0, which is the score until there are more than k results", c.Name)
		}
	}
}

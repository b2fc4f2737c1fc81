package rules

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
)

// A rolling window computes a member's score from the results that are left when others leave. That is possible at a small cost for two kinds
// of rules: every column is a sum, from which a result is subtracted; or the score is that of a single result, and another takes its place.

// Sums reports whether every column is a sum. O(columns).
func (r *Rules) Sums() bool {
	for i := range r.columns {
		if or(r.columns[i].Op, r.op) != Sum {
			return false
		}
	}
	return true
}

// Picks returns the operator by which a score is that of a single result: that of the board, or that of its only column. O(1).
func (r *Rules) Picks() Op { return or(r.columns[0].Op, r.op) }

// CanRoll returns nil if a rolling window can have these rules. Otherwise its error wraps ErrRules and names every column that stands in the way.
// O(columns).
func (r *Rules) CanRoll() error {
	var problems []error
	bad := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("%w: "+format, append([]any{ErrRules}, args...)...))
	}
	if r.k > 0 {
		bad("op is %s, which a rolling window does not have", r.op)
		return errors.Join(problems...)
	}
	sums := r.Sums()
	for i := range r.columns {
		switch c := &r.columns[i]; {
		case sums && c.Of != nil:
			bad("column %q is computed, and the sums in a rolling window have no computed columns", c.Name)
		case sums && c.Absent != "":
			bad("column %q may be absent, which the sums in a rolling window cannot tell when results leave", c.Name)
		case sums && c.Kind != Int64:
			bad("kind of column %q is %s, and a rolling window adds up %s only, perhaps with decimals", c.Name, c.Kind, Int64)
		case sums && (c.Min != nil || c.Max != nil):
			bad("column %q has a min or max, which the sums in a rolling window cannot keep when results leave", c.Name)
		case !sums && r.op.byColumn() && len(r.columns) > 1:
			bad("op of column %q is %s, and in a rolling window all of several columns are %s", c.Name, or(c.Op, r.op), Sum)
		}
	}
	return errors.Join(problems...)
}

// Add returns the sum of two scores of a board whose columns are sums of int64, and false if it is out of range. O(columns).
func (r *Rules) Add(a, b Score) (sum Score, ok bool) { return r.perColumn(a, b, add) }

// Subtract returns what is left of a sum, of a board whose columns are sums of int64, without one of its parts. It returns false if it cannot
// tell: if a column of the sum is at an end of the range, or the result is out of range. O(columns).
func (r *Rules) Subtract(sum, part Score) (left Score, ok bool) {
	return r.perColumn(sum, part, func(a, b Value) (Value, bool) {
		x, y := int64(a.bits), int64(b.bits)
		d := x - y
		return Value{uint64(d), a.kind}, !atEnd(x) && (d < x) == (y > 0)
	})
}

// AtEnd reports whether a column of a sum of int64 is at an end of the range. O(columns).
func (r *Rules) AtEnd(sum Score) bool {
	for i := range r.columns {
		if atEnd(int64(sum.At(i).bits)) {
			return true
		}
	}
	return false
}

func atEnd(x int64) bool { return x == math.MaxInt64 || x == math.MinInt64 }

// Total returns the sum of scores of a board whose columns are sums of int64. A column whose sum is out of range is at that end of the range.
// O(scores columns).
func (r *Rules) Total(scores iter.Seq[Score]) Score {
	sums := make([]big.Int, len(r.columns))
	for s := range scores {
		for i := range sums {
			sums[i].Add(&sums[i], big.NewInt(int64(s.At(i).bits)))
		}
	}
	var b builder
	b.grow(len(sums))
	for i := range sums {
		v := sums[i].Int64()
		if !sums[i].IsInt64() {
			v = math.MaxInt64
			if sums[i].Sign() < 0 {
				v = math.MinInt64
			}
		}
		b.add(Value{uint64(v), uint8(r.columns[i].Decimals)})
	}
	return b.score()
}

// perColumn returns the score of which f returns the columns, and false if f returns false for one.
func (r *Rules) perColumn(x, y Score, f func(a, b Value) (Value, bool)) (s Score, ok bool) {
	var b builder
	b.grow(len(r.columns))
	for i := range r.columns {
		v, ok := f(x.At(i), y.At(i))
		if !ok {
			return Score{}, false
		}
		b.add(v)
	}
	return b.score(), true
}

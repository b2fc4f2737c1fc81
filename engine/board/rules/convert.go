package rules

import (
	"math"
	"slices"
)

// Convert returns what makes an entry kept by one board's rules an entry of another's, a pure function. Columns are matched by
// name: a new one begins with 0, or the bound nearest to it, and one that is gone is dropped. An int64 becomes a float64 only if
// that is exact, and a float64 an int64 only if it is whole and in range. An entry that comes from ByMember or goes there has no
// times. O(columns). Its error is a *ScoreError that names the column of the new rules, with ErrKind or ErrBounds.
func Convert(from, to *Rules) func(Entry) (Entry, error) {
	sources := make([]int, len(to.columns)) // -1: none
	for i, c := range to.columns {
		sources[i] = slices.IndexFunc(from.columns, func(old Column) bool { return old.Name == c.Name })
	}
	timeless := from.ties == ByMember || to.ties == ByMember
	return func(e Entry) (Entry, error) {
		old := e.Score
		e.Score = Score{}
		for i, source := range sources {
			c := &to.columns[i]
			if source < 0 {
				e.Score.add(c.initial())
				continue
			}
			v, err := c.converted(old.At(source))
			if err == nil && !c.within(v) {
				err = ErrBounds
			}
			if err != nil {
				return Entry{}, c.fault(i, old.At(source), err)
			}
			e.Score.add(v)
		}
		if timeless {
			e.Reached, e.Arrival = 0, 0
		}
		return e, nil
	}
}

// initial returns what a column without a value begins with.
func (c *Column) initial() Value {
	zero := Int(0)
	if c.Kind == Float64 {
		zero = Float(0)
	}
	switch {
	case c.Min != nil && compare(zero, *c.Min) < 0:
		return *c.Min
	case c.Max != nil && compare(zero, *c.Max) > 0:
		return *c.Max
	}
	return zero
}

// converted returns a value of either kind as one of the column's. Error: ErrKind.
func (c *Column) converted(v Value) (Value, error) {
	if c.Kind == Float64 || !v.float {
		return c.value(v)
	}
	f := v.Float()
	if f != math.Trunc(f) || f < math.MinInt64 || f >= math.MaxInt64 { // as a float64, MaxInt64 is 2^63
		return v, ErrKind
	}
	return Int(int64(f)), nil
}

package rules

import (
	"math"
	"slices"
)

// Convert returns a pure function that converts an entry from one board's rules to another's. It matches columns by name. A column that
// only the new rules have starts at 0, or at the bound nearest to 0. A column that only the old rules have is dropped. An int64 becomes a
// float64 only if that is exact. A float64 becomes an int64 only if it is whole and in range. A value gets other decimals only if that is
// exact. An absent value stays absent, or becomes that of a new column; a column that may be absent begins so. Computed columns are computed of the
// others. If either rules break ties ByMember, the result has no times. The function takes O(columns). Its error is a *ScoreError with ErrKind,
// ErrBounds or ErrOverflow, and names the new column.
func Convert(from, to *Rules) func(Entry) (Entry, error) { return convert(from, to, false) }

// ConvertFrozen is Convert for rankings that are closed: a computed column of both rules keeps its values, whatever the weights are now.
func ConvertFrozen(from, to *Rules) func(Entry) (Entry, error) { return convert(from, to, true) }

func convert(from, to *Rules, frozen bool) func(Entry) (Entry, error) {
	sources := make([]int, len(to.columns)) // -1: none
	for i, c := range to.columns {
		sources[i] = slices.IndexFunc(from.columns, func(old Column) bool { return old.Name == c.Name })
	}
	timeless := from.ties == ByMember || to.ties == ByMember
	return func(e Entry) (Entry, error) {
		old := e.Score
		var b builder
		b.grow(len(sources))
		for i, source := range sources {
			c := &to.columns[i]
			if source < 0 || c.Of != nil && !(frozen && from.columns[source].Of != nil) {
				b.add(c.initial())
				continue
			}
			v, err := c.converted(old.At(source))
			if err == nil && !c.within(v) {
				err = ErrBounds
			}
			if err != nil {
				return Entry{}, c.fault(i, old.At(source), err)
			}
			b.add(v)
		}
		e.Score = b.score()
		if err := to.computeNew(&e.Score, func(column int) bool {
			return !(frozen && sources[column] >= 0 && from.columns[sources[column]].Of != nil)
		}); err != nil {
			return Entry{}, err
		}
		if timeless {
			e.Reached, e.Arrival = 0, 0
		}
		return e, nil
	}
}

// initial returns the first value of a new column: Absent if it may be, else 0, or the bound nearest to 0.
func (c *Column) initial() Value {
	if c.Absent != "" {
		return Absent
	}
	zero, _ := c.value(Int(0))
	switch {
	case c.Min != nil && compare(zero, *c.Min) < 0:
		return *c.Min
	case c.Max != nil && compare(zero, *c.Max) > 0:
		return *c.Max
	}
	return zero
}

// converted converts a value of either kind to the column's kind. Error: ErrKind.
func (c *Column) converted(v Value) (Value, error) {
	if v.IsAbsent() {
		return c.initial(), nil
	}
	if c.Kind == Float64 || !v.IsFloat() || c.Decimals > 0 {
		return c.value(v)
	}
	f := v.Float()
	if f != math.Trunc(f) || f < math.MinInt64 || f >= math.MaxInt64 { // as a float64, MaxInt64 is 2^63
		return v, ErrKind
	}
	return Int(int64(f)), nil
}

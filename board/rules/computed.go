package rules

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
)

// A computed column is a weighted sum of others: see Column.Of. In a column of Int64 it is exact: each weight becomes a whole factor that gives units of
// this column of units of the other, and the sum is made in 192 bits. In a column of Float64 the products are added in the order of the columns.

// prepareSums fills in the kinds of computed columns and counts the columns that are submitted. Weights become decimal numbers where these are
// exact.
func (r *Rules) prepareSums() {
	for i := range r.columns {
		c := &r.columns[i]
		if c.Of == nil {
			r.given++
			continue
		}
		c.Of = maps.Clone(c.Of)
		exact, decimals := true, 0
		for name, weight := range c.Of {
			if short, ok := weight.short(); ok && weight.IsFloat() {
				weight, c.Of[name] = short, short
			}
			source := r.named(name)
			if exact = exact && source >= 0 && r.columns[source].Kind != Float64 && !weight.IsFloat(); exact {
				decimals = max(decimals, r.columns[source].Decimals+weight.Decimals())
			}
		}
		if c.Kind == "" && !exact {
			c.Kind = Float64
		}
		if c.Kind != Float64 && c.Decimals == 0 {
			c.Decimals = decimals
		}
	}
}

// named returns the column of a name, -1 for none.
func (r *Rules) named(name string) int {
	return slices.IndexFunc(r.columns, func(c Column) bool { return c.Name == name })
}

// validateSum calls bad for every impossible value of a computed column, and adds its sum.
func (r *Rules) validateSum(i int, bad func(format string, args ...any)) {
	c := &r.columns[i]
	if len(c.Of) == 0 {
		bad("of of column %q names no columns", c.Name)
	}
	if c.Op != "" || c.Absent != "" {
		bad("column %q is computed, and has op %q and absent %q, want none", c.Name, c.Op, c.Absent)
	}
	s := sum{column: i}
	for _, name := range slices.Sorted(maps.Keys(c.Of)) {
		source, weight := r.named(name), c.Of[name]
		switch {
		case name == c.Name:
			bad("of of column %q names the column itself", c.Name)
		case source < 0:
			bad("of of column %q names %q, and there is no such column", c.Name, name)
		case r.columns[source].Of != nil:
			bad("of of column %q names %q, which is computed", c.Name, name)
		case weight.IsAbsent() || !weight.finite():
			bad("of of column %q: the weight of %q is %v, want a finite number", c.Name, name, weight)
		case c.Kind == Float64:
			s.terms = append(s.terms, term{column: source, weight: weight.Float()})
		case r.columns[source].Kind == Float64:
			bad("kind of column %q is %s, and of names %q, of kind %s", c.Name, c.Kind, name, Float64)
		default:
			factor, reason := c.factor(&r.columns[source], weight)
			if reason != "" {
				bad("of of column %q: the weight of %q, %v, %s", c.Name, name, weight, reason)
			}
			s.terms = append(s.terms, term{column: source, factor: factor})
		}
	}
	slices.SortFunc(s.terms, func(a, b term) int { return a.column - b.column })
	r.sums = append(r.sums, s)
}

// factor returns how many units of the column one unit of a source is with a weight, or the reason why it cannot.
func (c *Column) factor(source *Column, weight Value) (factor int64, reason string) {
	const overflows = "overflows"
	more := c.Decimals - source.Decimals - weight.Decimals()
	if weight.IsFloat() {
		return 0, overflows
	}
	if more < 0 {
		return 0, fmt.Sprintf("needs %d decimals, and the column has %d", c.Decimals-more, c.Decimals)
	}
	if more > MaxDecimals {
		return 0, overflows
	}
	units, _ := weight.Units()
	factor = units * powers[more]
	if factor/powers[more] != units {
		return 0, overflows
	}
	return factor, ""
}

// widen returns a submitted score with computed columns of 0.
func (r *Rules) widen(s Score) Score {
	var b builder
	b.grow(len(r.columns))
	given := 0
	for i := range r.columns {
		if r.columns[i].Of != nil {
			b.add(Value{})
			continue
		}
		b.add(s.At(given))
		given++
	}
	return b.score()
}

// Submitted returns a ranked score without its computed columns, as a submission has it.
func (r *Rules) Submitted(s Score) Score {
	var b builder
	b.grow(len(r.columns))
	for i := range r.columns {
		if r.columns[i].Of == nil {
			b.add(s.At(i))
		}
	}
	return b.score()
}

// compute sets the computed columns of a score. Error: a *ScoreError with ErrOverflow.
func (r *Rules) compute(s *Score) error {
	return r.computeNew(s, func(int) bool { return true })
}

// computeNew is compute for the columns that it is told.
func (r *Rules) computeNew(s *Score, isNew func(column int) bool) error {
	for i := range r.sums {
		x := &r.sums[i]
		if !isNew(x.column) {
			continue
		}
		c := &r.columns[x.column]
		var v Value
		var ok bool
		if c.Kind == Float64 {
			v = x.float(s)
			ok = v.finite()
		} else {
			v, ok = x.exact(s, uint8(c.Decimals))
		}
		if !ok {
			return c.fault(x.column, v, ErrOverflow)
		}
		s.set(x.column, v)
	}
	return nil
}

// float returns the sum as a float64.
func (x *sum) float(s *Score) Value {
	total := 0.0
	for _, t := range x.terms {
		total += float64(s.At(t.column).Float() * t.weight) // the conversion rounds the product
	}
	return Float(total)
}

// exact returns the sum, and false with its nearest float64 if it is out of range.
func (x *sum) exact(s *Score, decimals uint8) (Value, bool) {
	var low, middle, high uint64 // 192 bits
	for _, t := range x.terms {
		v := s.At(t.column)
		if v.IsAbsent() || v.IsFloat() {
			continue
		}
		upper, lower := multiply(int64(v.bits), t.factor)
		var carry uint64
		low, carry = bits.Add64(low, lower, 0)
		middle, carry = bits.Add64(middle, upper, carry)
		high += uint64(int64(upper)>>63) + carry
	}
	sign := uint64(int64(low) >> 63)
	if middle == sign && high == sign {
		return Value{low, decimals}, true
	}
	near := math.Ldexp(float64(int64(high)), 128) + math.Ldexp(float64(middle), 64) + float64(low)
	return Float(near / float64(powers[decimals])), false
}

// multiply returns the product of two int64 in 128 bits.
func multiply(a, b int64) (upper, lower uint64) {
	upper, lower = bits.Mul64(uint64(a), uint64(b))
	if a < 0 {
		upper -= uint64(b)
	}
	if b < 0 {
		upper -= uint64(a)
	}
	return upper, lower
}

package periods

import (
	"fmt"
	"math"
	"math/big"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// column is a column of the result.
type column struct {
	rules.Column          // without an operator
	op           rules.Op // Sum, Min or Max; with Best it is not used
}

// factor is what multiplies the values of a column of an input: an int64 brings units to those of the result, a float64 is the weight itself.
type factor struct {
	units int64
	float float64
}

// maxFactor is the largest factor of an int64 column. The products of MaxPeriods inputs, added up, fit in 128 bits.
const maxFactor = 1 << 52

// weighted returns a value times a factor.
func (c *column) weighted(v rules.Value, f factor) wide {
	if c.Kind == rules.Float64 {
		return wide{lo: math.Float64bits(v.Float() * f.float)}
	}
	units, _ := v.Units()
	return product(units, f.units)
}

func (c *column) plus(a, b wide) wide {
	if c.Kind == rules.Float64 {
		return wide{lo: math.Float64bits(math.Float64frombits(a.lo) + math.Float64frombits(b.lo))}
	}
	return a.plus(b)
}

// compare compares two values as numbers.
func (c *column) compare(a, b wide) int {
	if c.Kind == rules.Float64 {
		switch x, y := math.Float64frombits(a.lo), math.Float64frombits(b.lo); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	return a.compare(b)
}

// result returns the value of the column. Error: ErrOverflow.
func (c *column) result(w wide) (rules.Value, error) {
	if c.Kind == rules.Float64 {
		f := math.Float64frombits(w.lo)
		if math.IsInf(f, 0) || math.IsNaN(f) { // infinities of both signs add up to NaN
			return rules.Value{}, rules.ErrOverflow
		}
		return rules.Float(f), nil
	}
	units, ok := w.int64()
	if !ok {
		return rules.Value{}, rules.ErrOverflow
	}
	return rules.Decimal(units, c.Decimals), nil
}

// weightOf returns the weight of a source for a column, as a value that the column's kind takes: of int64 columns a decimal number without zeros at
// its end. Errors: ErrKind, ErrNotFinite.
func weightOf(s *board.UnionSource, i int, kind rules.ColumnKind) (w rules.Value, err error) {
	switch len(s.Weights) {
	case 0:
		w = rules.Int(1)
	case 1:
		w = s.Weights[0]
	default:
		w = s.Weights[i]
	}
	if kind == rules.Float64 {
		if f := w.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return w, rules.ErrNotFinite
		}
		return rules.Float(w.Float()), nil
	}
	w, ok := w.AsDecimal()
	if !ok {
		return w, rules.ErrKind
	}
	units, _ := w.Units()
	decimals := w.Decimals()
	for ; decimals > 0 && units%10 == 0; decimals-- {
		units /= 10
	}
	return rules.Decimal(units, decimals), nil
}

// factorOf returns the factor of a weight for a column with some decimals, in a result with others. Error: ErrOverflow.
func factorOf(w rules.Value, decimals int, result *column) (factor, error) {
	if result.Kind == rules.Float64 {
		return factor{float: w.Float()}, nil
	}
	units, _ := w.Units()
	f := big.NewInt(int64(result.Decimals - decimals - w.Decimals()))
	f.Exp(big.NewInt(10), f, nil).Mul(f, big.NewInt(units))
	if f.CmpAbs(big.NewInt(maxFactor)) > 0 {
		return factor{}, fmt.Errorf("%w: weight %v, for %d decimals", rules.ErrOverflow, w, result.Decimals)
	}
	return factor{units: f.Int64()}, nil
}

// alike returns an error unless a column of a source can be united with the one of the first source.
func alike(first, c *rules.Column) error {
	switch {
	case c.Kind != first.Kind:
		return fmt.Errorf("%w: %w: %s, and %s in the first source", board.ErrUnion, rules.ErrKind, c.Kind, first.Kind)
	case c.Absent != "":
		return fmt.Errorf("%w: %w: absent is %s, and a union needs values", board.ErrUnion, rules.ErrAbsent, c.Absent)
	case c.Order != first.Order:
		return fmt.Errorf("%w: order is %s, and %s in the first source", board.ErrUnion, c.Order, first.Order)
	}
	return nil
}

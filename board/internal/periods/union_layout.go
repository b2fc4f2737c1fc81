package periods

import (
	"fmt"
	"math/big"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
)

// layout is the columns of a union, and what brings those of the sources to it.
type layout struct {
	columns []column
	best    bool            // the best score counts as a whole
	rules   *rules.Rules    // of the result
	weights [][]rules.Value // of the sources: one for each column
	factors [][]factor      // of the sources: one for each column
	counts  []int           // of the sources: how many rankings they have
}

// newLayout makes the layout of a union of sources whose boards have these states, and that have so many rankings each. Errors: ErrUnion, and an
// *Error that wraps ErrColumns, ErrKind, ErrNotFinite or ErrOverflow.
func newLayout(spec *board.UnionSpec, states []*state.State, counts []int) (*layout, error) {
	first := states[0].Rules.Columns()
	if n := len(spec.Columns); n > 0 && n != len(first) {
		return nil, fmt.Errorf("%w: columns has %d operators, and the boards %d columns", board.ErrUnion, n, len(first))
	}
	l := &layout{best: spec.Combine == rules.Best, counts: counts}
	for i, c := range first {
		op := or(spec.Combine, rules.Sum)
		if len(spec.Columns) > 0 {
			op = or(spec.Columns[i], op)
		}
		l.columns = append(l.columns, column{rules.Column{Name: c.Name, Kind: c.Kind, Order: c.Order}, op})
	}
	ties := states[0].Rules.Ties()
	of := make([][]rules.Column, len(states)) // the sources' columns
	for i, st := range states {
		of[i] = st.Rules.Columns()
		if err := l.addSource(spec, i, of[i]); err != nil {
			return nil, err
		}
		if st.Rules.Ties() != ties {
			ties = rules.ByMember
		}
	}
	for i := range states {
		if err := l.addFactors(spec, i, of[i]); err != nil {
			return nil, err
		}
	}
	return l, l.makeRules(of, ties)
}

func or(op, otherwise rules.Op) rules.Op {
	if op == "" {
		return otherwise
	}
	return op
}

// addSource compares the columns of a source with those of the first, and adds its weights. The columns get the decimals that its products have.
func (l *layout) addSource(spec *board.UnionSpec, i int, columns []rules.Column) error {
	s := &spec.Sources[i]
	if len(columns) != len(l.columns) {
		return fault(spec, i, "", fmt.Errorf("%w: %w: %d, and %d in the first source", board.ErrUnion, rules.ErrColumns, len(columns), len(l.columns)))
	}
	if n := len(s.Weights); n > 1 && n != len(columns) {
		return fault(spec, i, "", fmt.Errorf("%w: %d weights, want 1 or %d", board.ErrUnion, n, len(columns)))
	}
	weights := make([]rules.Value, len(columns))
	for c := range columns {
		to := &l.columns[c]
		if err := alike(&to.Column, &columns[c]); err != nil {
			return fault(spec, i, columns[c].Name, err)
		}
		w, err := weightOf(s, c, to.Kind)
		if err != nil {
			return fault(spec, i, columns[c].Name, fmt.Errorf("%w: weight %v: %w", board.ErrUnion, w, err))
		}
		if to.Kind == rules.Int64 {
			to.Decimals = max(to.Decimals, columns[c].Decimals+w.Decimals())
		}
		if weights[c] = w; to.Decimals > rules.MaxDecimals {
			return fault(spec, i, columns[c].Name, fmt.Errorf("%w: weight %v makes %d decimals, want at most %d", board.ErrUnion, w,
				to.Decimals, rules.MaxDecimals))
		}
	}
	l.weights = append(l.weights, weights)
	return nil
}

// addFactors adds the factors of a source. All sources are added.
func (l *layout) addFactors(spec *board.UnionSpec, i int, columns []rules.Column) error {
	factors := make([]factor, len(columns))
	for c := range columns {
		f, err := factorOf(l.weights[i][c], columns[c].Decimals, &l.columns[c])
		if err != nil {
			return fault(spec, i, columns[c].Name, err)
		}
		factors[c] = f
	}
	l.factors = append(l.factors, factors)
	return nil
}

// makeRules makes the rules of the result. Error: one that wraps ErrUnion, if there are so many columns that they do not fit.
func (l *layout) makeRules(of [][]rules.Column, ties rules.Ties) (err error) {
	columns := make([]rules.Column, len(l.columns))
	for c := range columns {
		l.bound(c, of)
		columns[c] = l.columns[c].Column
	}
	if l.rules, err = rules.New(columns, rules.Best, ties); err != nil {
		return fmt.Errorf("%w: %w", board.ErrUnion, err)
	}
	return nil
}

// bound gives a column the bounds of the values that it can have, if the columns of all sources have bounds. Many columns take less space then.
func (l *layout) bound(c int, of [][]rules.Column) {
	to := &l.columns[c]
	var lows, highs []*big.Int
	for i, columns := range of {
		if to.Kind != rules.Int64 || columns[c].Min == nil || columns[c].Max == nil {
			return
		}
		f := big.NewInt(l.factors[i][c].units)
		least, _ := columns[c].Min.Units()
		most, _ := columns[c].Max.Units()
		low, high := new(big.Int).Mul(f, big.NewInt(least)), new(big.Int).Mul(f, big.NewInt(most))
		if f.Sign() < 0 {
			low, high = high, low
		}
		lows, highs = append(lows, low), append(highs, high)
	}
	low, high := least(lows, -1), least(highs, 1)
	if l.columns[c].op == rules.Sum && !l.best {
		low, high = l.reach(lows, low, -1), l.reach(highs, high, 1)
	}
	if low.IsInt64() && high.IsInt64() {
		to.Min, to.Max = new(rules.Decimal(low.Int64(), to.Decimals)), new(rules.Decimal(high.Int64(), to.Decimals))
	}
}

// least returns the number that is furthest in a direction: the least for -1, the greatest for 1.
func least(list []*big.Int, sign int) *big.Int {
	x := list[0]
	for _, y := range list[1:] {
		if y.Cmp(x) == sign {
			x = y
		}
	}
	return x
}

// reach returns how far sums of numbers of the sources can go in a direction; furthest is the furthest number.
func (l *layout) reach(list []*big.Int, furthest *big.Int, sign int) *big.Int {
	if furthest.Sign() != sign {
		return furthest
	}
	sum := new(big.Int)
	for i, x := range list {
		if x.Sign() == sign {
			sum.Add(sum, new(big.Int).Mul(x, big.NewInt(int64(max(l.counts[i], 1)))))
		}
	}
	return sum
}

// fault returns the error of a source; column may be empty.
func fault(s *board.UnionSpec, i int, column string, err error) error {
	return &board.UnionError{Source: i, Board: s.Sources[i].Board, Window: s.Sources[i].Window, Column: column, Err: err}
}

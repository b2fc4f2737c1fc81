package totals

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// FuzzPoints decodes any bytes as points. Those that decode must survive encoding and decoding.
func FuzzPoints(f *testing.F) {
	f.Add(Points{Base: &Part{Number: 7, Score: rules.Ints(1, -2)}, Left: []Part{{Number: 300, Score: rules.Ints(math.MaxInt64)}}}.Encode())
	f.Add([]byte{1, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := DecodePoints(b)
		if err != nil {
			return
		}
		again, err := DecodePoints(x.Encode())
		require.NoError(t, err)
		require.Equal(t, x, again)
	})
}

// totalsOf returns the Totals of an operator over members with one column.
func totalsOf(t *testing.T, d board.Derived) *Totals {
	t.Helper()
	source := board.Spec{Name: "arena", Op: rules.Sum}.WithDefaults()
	d.From, d.Groups = "arena", "guild"
	spec, err := board.Spec{Name: "guilds", Derived: &d}.Complete(source)
	require.NoError(t, err)
	of, err := source.Rules()
	require.NoError(t, err)
	own, err := spec.Rules()
	require.NoError(t, err)
	totals, err := New(*spec.Derived, of, own)
	require.NoError(t, err)
	return totals
}

// TestRange: sums on the way may be out of range, a score may not, and halves of an average go away from zero.
func TestRange(t *testing.T) {
	sum := totalsOf(t, board.Derived{})
	y := sum.Tally()
	y.Add(rules.Ints(math.MaxInt64))
	y.Add(rules.Ints(math.MaxInt64))
	_, err := y.Score()
	require.ErrorIs(t, err, rules.ErrOverflow)
	y.Add(rules.Ints(math.MinInt64))
	score, err := y.Score()
	require.NoError(t, err)
	require.Equal(t, rules.Ints(math.MaxInt64-1, 3), score)
	x := sum.Total(score)
	sum.Subtract(&x, rules.Ints(math.MinInt64))
	x.Members--
	_, err = sum.Score(&x)
	require.ErrorIs(t, err, rules.ErrOverflow)

	average := totalsOf(t, board.Derived{Op: board.GroupAverage})
	for units, want := range map[int64]string{1: "0.500 2 1", -1: "-0.500 2 -1", math.MaxInt64: ""} {
		y := average.Tally()
		y.Add(rules.Ints(units))
		y.Add(rules.Ints(0))
		score, err := y.Score()
		if want == "" {
			require.ErrorIs(t, err, rules.ErrOverflow)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, want, score.String())
	}
	y = average.Tally()
	for range 16 {
		y.Add(rules.Ints(0))
	}
	y.Add(rules.Ints(1))
	score, err = y.Score()
	require.NoError(t, err)
	require.Equal(t, "0.059 17 1", score.String())
}

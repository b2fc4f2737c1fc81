package zset

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// viewOf returns a set of members a, b, c, … with the scores that are not NaN.
func viewOf(v variant, scores ...float64) *View {
	s := v.fresh(0)
	for i, score := range scores {
		_, _ = s.Add([]byte{byte('a' + i)}, score)
	}
	return s.View()
}

// printed returns a set as text, lowest score first.
func printed[S Score](s *SetOf[S]) (text string) {
	for m, score := range s.Range(0, s.Len()) {
		text += fmt.Sprintf("%s=%v ", m, score)
	}
	return text
}

// TestCombineEdges compares Union and Inter with Redis's results for infinite scores and weights.
func TestCombineEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	rows := []struct {
		sets         [][]float64 // in the order in which Redis visits them: smaller ones first
		how          Combine[float64]
		union, inter string
	}{
		{[][]float64{{5}, {inf, 1}}, Combine[float64]{Weights: []float64{1, 0}}, "b=0 a=5 ", "a=0 "},
		{[][]float64{{5}, {inf, 1}}, Combine[float64]{Min, []float64{1, 0}}, "a=0 b=0 ", "a=5 "},
		{[][]float64{{-5}, {inf, 1}}, Combine[float64]{Max, []float64{1, 0}}, "a=0 b=0 ", "a=-5 "},
		{[][]float64{{inf}, {3, 1}}, Combine[float64]{Weights: []float64{0, 1}}, "b=1 a=3 ", "a=3 "},
		{[][]float64{{inf}, {-inf}}, Combine[float64]{}, "a=0 ", "a=0 "},
		{[][]float64{{inf}, {-inf}, {inf}}, Combine[float64]{}, "a=+Inf ", "a=+Inf "},
		{[][]float64{{1}, {2, 3}}, Combine[float64]{Weights: []float64{inf, -inf}}, "b=-Inf a=0 ", "a=0 "},
		{[][]float64{{0}, {0, 3}}, Combine[float64]{Weights: []float64{inf, 1}}, "a=0 b=3 ", "a=0 "},
		{[][]float64{{1}, {2, 3}}, Combine[float64]{Weights: []float64{-1, 2}}, "a=3 b=6 ", "a=3 "},
		{[][]float64{{9}, {2, 3}}, Combine[float64]{Count, nil}, "b=1 a=2 ", "a=2 "},
		{[][]float64{{9}, {2, 3}}, Combine[float64]{Count, []float64{4, -4}}, "b=-4 a=0 ", "a=0 "},
		{[][]float64{{nan}, {2, 3}}, Combine[float64]{}, "a=2 b=3 ", ""},
		{[][]float64{{1e308}, {1e308}}, Combine[float64]{}, "a=+Inf ", "a=+Inf "},
		{[][]float64{{math.Copysign(0, -1)}, {0}}, Combine[float64]{Weights: []float64{-1, -1}}, "a=0 ", "a=0 "},
		{[][]float64{{1, 2}}, Combine[float64]{Weights: []float64{3}}, "a=3 b=6 ", "a=3 b=6 "},
		{nil, Combine[float64]{}, "", ""},
	}
	for _, v := range plain {
		for i, row := range rows {
			var views []*View
			for _, scores := range row.sets {
				views = append(views, viewOf(v, scores...))
			}
			union, err := Union(Options{}, row.how, views...)
			require.NoError(t, err)
			require.Equal(t, row.union, printed(union), "%s: row %d", v.name, i)
			inter, err := Inter(Options{}, row.how, views...)
			require.NoError(t, err)
			require.Equal(t, row.inter, printed(inter), "%s: row %d", v.name, i)
			require.Equal(t, inter.Len(), InterCard(0, views...))
			require.Equal(t, min(inter.Len(), 1), InterCard(1, views...))
			require.Equal(t, inter.Len(), InterCard(-1, views...))
		}
	}
}

// TestCombineIntegers combines int64 scores whose products or sums are at the limits of int64 or beyond.
func TestCombineIntegers(t *testing.T) {
	const most, least = math.MaxInt64, math.MinInt64
	for _, row := range []struct {
		scores, weights []int64
		want            string
		err             error
	}{
		{[]int64{most, 1}, nil, "", ErrOverflow}, {[]int64{most, -1}, nil, "a=9223372036854775806 ", nil},
		{[]int64{most, least}, nil, "a=-1 ", nil}, {[]int64{least, 0}, []int64{-1, 1}, "", ErrOverflow},
		{[]int64{-1, 0}, []int64{least, 1}, "", ErrOverflow}, {[]int64{most, 0}, []int64{-1, 1}, "a=-9223372036854775807 ", nil},
		{[]int64{1 << 32, 0}, []int64{1 << 31, 1}, "", ErrOverflow}, {[]int64{-1 << 32, 0}, []int64{1 << 31, 1}, "a=-9223372036854775808 ", nil},
		{[]int64{least, 7}, []int64{0, 1}, "a=7 ", nil}, {[]int64{1<<53 + 1, 1 << 53}, nil, "a=18014398509481985 ", nil},
	} {
		for _, v := range plain {
			var views []*IntView
			for _, score := range row.scores {
				s := freshOf[int64](v, 0)
				s.Add([]byte("a"), score)
				views = append(views, s.View())
			}
			for _, op := range []func(Options, Combine[int64], ...*IntView) (*IntSet, error){Union[int64], Inter[int64]} {
				got, err := op(Options{}, Combine[int64]{Weights: row.weights}, views...)
				require.Equal(t, row.err, err, "%v", row)
				if err == nil {
					require.Equal(t, row.want, printed(got), "%v", row)
				}
			}
		}
	}
}

// TestCombineRefused calls set operations with invalid arguments.
func TestCombineRefused(t *testing.T) {
	a := viewOf(plain[0], 1, 2)
	for _, row := range []struct {
		o       Options
		weights []float64
		want    error
	}{
		{Options{}, []float64{1}, ErrWeights}, {Options{}, []float64{1, 2, 3}, ErrWeights}, {Options{}, []float64{}, ErrWeights},
		{Options{}, []float64{1, math.NaN()}, ErrNaN}, {Options{TieWidth: 3}, nil, nil},
	} {
		for _, op := range []func(Options, Combine[float64], ...*View) (*Set, error){Union[float64], Inter[float64]} {
			got, err := op(row.o, Combine[float64]{Weights: row.weights}, a, a)
			require.Error(t, err)
			require.Nil(t, got)
			if row.want != nil {
				require.ErrorIs(t, err, row.want)
			}
		}
	}
	got, err := Diff(Options{TieWidth: 3}, a)
	require.ErrorContains(t, err, "TieWidth is 3")
	require.Nil(t, got)
}

// TestCombineItself names one set several times, and puts the result where it came from.
func TestCombineItself(t *testing.T) {
	for _, v := range plain {
		a := viewOf(v, 1, 2, 3)
		empty := &View{}
		union, err := Union(Options{}, Combine[float64]{}, a, empty, a)
		require.NoError(t, err)
		require.Equal(t, "a=2 b=4 c=6 ", printed(union))
		inter, err := Inter(Options{Cap: 2}, Combine[float64]{Aggregate: Max}, a, a)
		require.NoError(t, err)
		require.Equal(t, "b=2 c=3 ", printed(inter), "a cap keeps the best of a result")
		none, err := Diff(Options{}, a, empty, a)
		require.NoError(t, err)
		require.Zero(t, none.Len())
		require.Equal(t, "listpack", none.Encoding())
		left, err := Diff(Options{}, a, empty)
		require.NoError(t, err)
		require.Equal(t, "a=1 b=2 c=3 ", printed(left))
		require.Equal(t, 0, InterCard(0, a, empty)+InterCard[float64](0))
	}
}

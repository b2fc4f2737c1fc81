package zset

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestAsLayout: the types that As converts must have the same memory layout.
func TestAsLayout(t *testing.T) {
	require.Equal(t, unsafe.Sizeof(Set{}), unsafe.Sizeof(IntSet{}))
	require.Equal(t, unsafe.Sizeof(core{}), unsafe.Sizeof(Set{}), "a set is its core and nothing else")
	require.IsType(t, core{}, Set{}.ViewOf.core)
	require.IsType(t, core{}, IntSet{}.ViewOf.core)
}

// edges are extreme float64 scores.
var edges = []float64{math.Inf(-1), -math.MaxFloat64, -1, -5e-324, 0, 5e-324, 1, 1<<53 - 1, 1 << 53, math.MaxFloat64, math.Inf(1)}

// TestAsFloats reads a set of float64 scores as int64. The order must be the same, FloatOf must return each score bit for bit, and another
// set must take the int64 scores back. It does so in both encodings.
func TestAsFloats(t *testing.T) {
	for _, n := range []int{len(edges), 1000} {
		s, err := New(Options{TieWidth: 8})
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		scores := slices.Clone(edges)
		for len(scores) < n {
			if f := math.Float64frombits(rng.Uint64()); f == f {
				scores = append(scores, f)
			}
		}
		for i, f := range scores {
			_, err := s.AddTied([]byte{byte(i), byte(i >> 8)}, []byte("12345678"), f)
			require.NoError(t, err)
		}
		raw := As[int64](s)
		require.False(t, raw.Integers())
		require.Same(t, s, As[float64](raw))
		all, ints := s.Append(nil, 0, s.Len()), raw.Append(nil, 0, s.Len())
		require.True(t, slices.IsSortedFunc(ints, func(x, y IntEntry) int { return cmp.Compare(x.Score, y.Score) }))
		other, err := New(Options{TieWidth: 8})
		require.NoError(t, err)
		for i, e := range ints {
			require.Equal(t, math.Float64bits(all[i].Score), math.Float64bits(FloatOf(e.Score)))
			require.Equal(t, all[i].Member, e.Member)
			_, err := As[int64](other).AddTied(e.Member, e.Tie, e.Score)
			require.NoError(t, err)
		}
		require.Equal(t, all, other.Append(nil, 0, n))
		require.NoError(t, raw.Check())
		require.Equal(t, (*IntView)(s.View()), raw.View(), "a View is converted")
		t.Logf("%d scores in a %s", n, s.Encoding())
	}
}

// TestAsInts reads a set of int64 scores through As as float64 and back. Integers must stay true, and the scores must not change.
func TestAsInts(t *testing.T) {
	s, err := NewInt(Options{})
	require.NoError(t, err)
	scores := []int64{math.MinInt64, -1, 0, 1 << 53, 1<<53 + 1, math.MaxInt64}
	for i, score := range scores {
		_, err := s.Add([]byte{byte(i)}, score)
		require.NoError(t, err)
	}
	require.True(t, As[float64](s).Integers())
	for i, e := range As[int64](As[float64](s)).Append(nil, 0, 9) {
		require.Equal(t, scores[i], e.Score)
	}
}

// TestOptionsOf: Options must return the options that a set, or its original, was made with.
func TestOptionsOf(t *testing.T) {
	list := []Options{{}, {TieWidth: 40, ScoreTie: 24, DenseRanks: true}, {MaxListpackEntries: -1}, {MaxListpackEntries: 7, MaxListpackMember: 9},
		{Cap: 5, Reserve: 2, CapLowest: true, TieWidth: 8}, {Cap: 1, DenseRanks: true}}
	for _, o := range list {
		s, err := New(o)
		require.NoError(t, err)
		require.Equal(t, o, s.Options())
		_, err = s.Add([]byte("x"), 1)
		require.NoError(t, err)
		require.Equal(t, o, s.Copy().Options())
	}
	require.Zero(t, new(View).Options())
}

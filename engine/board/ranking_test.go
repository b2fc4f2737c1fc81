package board

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sixes returns a ranking "a6 b5 c4 d3 e2 f1".
func sixes(t *testing.T) Ranking {
	b := mustOpen(t, newMemory(t), Spec{Name: "x"})
	for i, member := range []string{"c", "f", "a", "e", "b", "d"} {
		mustSubmit(t, b, member, float64(6-(member[0]-'a')), second(i))
	}
	return all(t, b)
}

func TestTop(t *testing.T) {
	r := sixes(t)
	for n, want := range map[int]string{
		1: "a6", 2: "a6 b5", 6: "a6 b5 c4 d3 e2 f1", 7: "a6 b5 c4 d3 e2 f1", math.MaxInt: "a6 b5 c4 d3 e2 f1",
		0: "", -1: "", math.MinInt: "",
	} {
		assert.Equal(t, want, top(t, r, n), n)
	}
	n, err := r.Len()
	require.NoError(t, err)
	assert.Equal(t, 6, n)
}

func TestPlaces(t *testing.T) {
	r := sixes(t)
	for _, row := range []struct {
		first, last int
		from        int // rank of the first row
		want        string
	}{
		{1, 2, 1, "a6 b5"}, {3, 4, 3, "c4 d3"}, {6, 6, 6, "f1"}, {5, 99, 5, "e2 f1"}, {5, math.MaxInt, 5, "e2 f1"},
		{-3, 1, 1, "a6"}, {0, 1, 1, "a6"}, {math.MinInt, math.MaxInt, 1, "a6 b5 c4 d3 e2 f1"},
		{4, 3, 0, ""}, {5, 2, 0, ""}, {7, 9, 0, ""}, {-5, 0, 0, ""}, {3, math.MinInt, 0, ""}, {math.MaxInt, math.MinInt, 0, ""},
		{math.MaxInt, math.MaxInt, 0, ""},
	} {
		t.Run(fmt.Sprintf("%d..%d", row.first, row.last), func(t *testing.T) {
			rows, err := r.Places(row.first, row.last)
			require.NoError(t, err)
			assert.Equal(t, row.want, text(t, rows))
			if row.from > 0 {
				assert.Equal(t, row.from, rows[0].Rank)
			}
		})
	}
}

func TestAround(t *testing.T) {
	r := sixes(t)
	for _, row := range []struct {
		member string
		n      int
		want   string
	}{
		{"a", 1, "a6 b5 c4"}, {"b", 1, "a6 b5 c4"}, {"c", 1, "b5 c4 d3"}, {"e", 1, "d3 e2 f1"}, {"f", 1, "d3 e2 f1"},
		{"a", 2, "a6 b5 c4 d3 e2"}, {"b", 2, "a6 b5 c4 d3 e2"}, {"c", 2, "a6 b5 c4 d3 e2"}, {"d", 2, "b5 c4 d3 e2 f1"},
		{"f", 2, "b5 c4 d3 e2 f1"},
		{"a", 3, "a6 b5 c4 d3 e2 f1"}, {"f", 3, "a6 b5 c4 d3 e2 f1"},
		{"d", math.MaxInt, "a6 b5 c4 d3 e2 f1"}, {"d", math.MaxInt / 2, "a6 b5 c4 d3 e2 f1"},
		{"a", 0, "a6"}, {"d", 0, "d3"}, {"f", 0, "f1"}, {"d", -1, "d3"}, {"d", math.MinInt, "d3"},
	} {
		t.Run(fmt.Sprintf("%s+-%d", row.member, row.n), func(t *testing.T) {
			rows, ok, err := r.Around(row.member, row.n)
			require.NoError(t, err)
			require.True(t, ok)
			assert.Equal(t, row.want, text(t, rows))
			assert.Equal(t, 1+int(rows[0].Member[0]-'a'), rows[0].Rank)
		})
	}
}

func TestRankAndScore(t *testing.T) {
	r := sixes(t)
	for i, member := range []string{"a", "b", "c", "d", "e", "f"} {
		row, ok, err := r.Rank(member)
		require.NoError(t, err)
		require.True(t, ok)
		assert.Equal(t, Row{i + 1, member, float64(6 - i)}, row)
		score, ok, err := r.Score(member)
		require.NoError(t, err)
		require.True(t, ok)
		assert.Equal(t, float64(6-i), score)
	}
}

// TestAbsent asks for who is not there, on a board with members and on one without.
func TestAbsent(t *testing.T) {
	empty := all(t, mustOpen(t, newMemory(t), Spec{Name: "x"}))
	for _, r := range []Ranking{sixes(t), empty} {
		for _, member := range []string{"g", "", "A", "aa"} {
			row, ok, err := r.Rank(member)
			require.NoError(t, err)
			assert.False(t, ok)
			assert.Zero(t, row)
			score, ok, err := r.Score(member)
			require.NoError(t, err)
			assert.False(t, ok)
			assert.Zero(t, score)
			assert.False(t, math.Signbit(score))
			rows, ok, err := r.Around(member, 2)
			require.NoError(t, err)
			assert.False(t, ok)
			assert.Empty(t, rows)
		}
	}
	n, err := empty.Len()
	require.NoError(t, err)
	assert.Zero(t, n)
	assert.Empty(t, top(t, empty, 9))
}

// TestBigRanking is over the size at which a set changes its encoding, all members equal: no page repeats or skips anybody.
func TestBigRanking(t *testing.T) {
	const members = 1000
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Order: Asc})
	for i := range members {
		mustSubmit(t, b, fmt.Sprintf("%04d", i*7%members), 1, second(i))
	}
	r := all(t, b)
	for lo := 0; lo < members; lo += 33 {
		rows, err := r.Places(lo+1, lo+33)
		require.NoError(t, err)
		require.Len(t, rows, min(33, members-lo))
		for i, row := range rows {
			require.Equal(t, Row{lo + i + 1, fmt.Sprintf("%04d", (lo+i)*7%members), 1}, row)
		}
	}
	for _, rank := range []int{0, 1, 5, 500, 994, 998, 999} {
		rows, ok, err := r.Around(fmt.Sprintf("%04d", rank*7%members), 5)
		require.NoError(t, err)
		require.True(t, ok)
		assert.Len(t, rows, 11)
		assert.Equal(t, min(max(rank-5, 0), members-11)+1, rows[0].Rank)
	}
}

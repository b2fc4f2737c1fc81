package rules

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// member is a member with results that an operator keeps.
type member struct {
	entry Entry
	had   bool
	kept  []Result
}

// apply applies a result.
func (m *member) apply(t *testing.T, r *Rules, x Result) {
	var err error
	m.entry, _, m.kept, err = r.ApplyKept(m.entry, m.had, m.kept, Entry{Score: x.Score, Reached: x.At})
	require.NoError(t, err)
	m.had = true
}

// TestMergeKept: a member that gets the results of another one has the score that all of them give, whichever come next. Results happen at different times, so
// that the order in which they arrive does not count.
func TestMergeKept(t *testing.T) {
	for _, op := range []Op{BestOf, LastOf, DropWorst} {
		for seed := range uint64(200) {
			rng := rand.New(rand.NewPCG(seed, 3))
			r, err := NewKeeping([]Column{{Name: "score"}}, op, 1+rng.IntN(3), FirstToReach)
			require.NoError(t, err)
			at := rng.Perm(20)
			result := func(i int) Result {
				return Result{Ints(int64(rng.IntN(9) - 4)), int64(at[i])}
			}
			var into, from, both member
			for i := range 1 + rng.IntN(7) {
				x := result(i)
				into.apply(t, r, x)
				both.apply(t, r, x)
			}
			for i := range 1 + rng.IntN(7) {
				x := result(7 + i)
				from.apply(t, r, x)
				both.apply(t, r, x)
			}
			into.entry, into.kept, err = r.MergeKept(into.entry, into.kept, from.entry, from.kept)
			require.NoError(t, err)
			for i := range 4 {
				require.Equal(t, both.entry.Score, into.entry.Score, fmt.Sprint(op, " seed ", seed))
				x := result(14 + i)
				into.apply(t, r, x)
				both.apply(t, r, x)
			}
		}
	}
}

// TestMergeKeptOutOfRange: a sum that is out of bounds changes nothing.
func TestMergeKeptOutOfRange(t *testing.T) {
	most := Int(10)
	r, err := NewKeeping([]Column{{Name: "score", Max: &most}}, BestOf, 2, FirstToReach)
	require.NoError(t, err)
	var into, from member
	into.apply(t, r, Result{Ints(6), 1})
	from.apply(t, r, Result{Ints(5), 2})
	next, after, err := r.MergeKept(into.entry, into.kept, from.entry, from.kept)
	require.ErrorIs(t, err, ErrBounds)
	require.Equal(t, into.entry, next)
	require.Equal(t, into.kept, after)
}

// TestMergeArrival: of two entries that become one, the one that tells when the score was reached tells when it arrived; of both it is the later one.
func TestMergeArrival(t *testing.T) {
	for _, row := range []struct {
		op              Op
		into, from      Entry
		reached, number int64
	}{
		{Best, Entry{Ints(1), 5, 2}, Entry{Ints(3), 4, 9}, 4, 9},
		{Best, Entry{Ints(3), 5, 2}, Entry{Ints(1), 4, 9}, 5, 2}, // it stays as it is
		{Sum, Entry{Ints(1), 5, 2}, Entry{Ints(3), 4, 9}, 5, 2},
		{Sum, Entry{Ints(1), 4, 2}, Entry{Ints(3), 5, 1}, 5, 1},
		{Sum, Entry{Ints(1), 5, 2}, Entry{Ints(3), 5, 9}, 5, 9},
		{Sum, Entry{Ints(1), 5, 9}, Entry{Ints(3), 5, 2}, 5, 9},
	} {
		r, err := New([]Column{{Name: "score"}}, row.op, FirstToReach)
		require.NoError(t, err)
		next, _, err := r.Merge(row.into, nil, row.from, row.from.Reached)
		require.NoError(t, err)
		require.Equal(t, []int64{row.reached, row.number}, []int64{next.Reached, int64(next.Arrival)}, "%v", row)
	}
	r, err := NewKeeping([]Column{{Name: "score"}}, BestOf, 2, FirstToReach)
	require.NoError(t, err)
	into, from := Entry{Ints(1), 5, 7}, Entry{Ints(3), 5, 3}
	next, _, err := r.MergeKept(into, []Result{{into.Score, 5}}, from, []Result{{from.Score, 5}})
	require.NoError(t, err)
	require.Equal(t, Entry{Ints(4), 5, 7}, next)
}

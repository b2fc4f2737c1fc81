package local

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/testclock"
)

// arrival is a submission by which a member has come into a ranking of equals: the counters of calls say what was certainly in the ranking when its ranks
// were counted, and what may have been.
type arrival struct {
	member       string
	at           time.Time
	began, ended int64 // before the call, and after it; each counter is there once
	change       board.Change
}

// TestTiesOfPartsUnderWriters: members that come to one score, at few different times, stand in the order of these times and then of their names, whatever
// part they are in and whoever submits meanwhile. A Submit has a rank that it has had between its begin and its end: it counts all members that stand before
// and were there when it began, and no others than those that were there when it ended. So it is with those that it has passed, and with its neighbours.
// Readers see the rows in order at every moment.
func TestTiesOfPartsUnderWriters(t *testing.T) {
	for _, parts := range []board.Spec{{Parts: 4}, {PartMembers: 16}} {
		for _, ties := range []board.Ties{board.FirstToReach, board.LastToReach, board.ByMember} {
			spec := parts
			spec.Name, spec.Ties = "arena", ties
			t.Run(fmt.Sprintf("parts=%d/members=%d/ties=%s", spec.Parts, spec.PartMembers, ties), func(t *testing.T) { testTies(t, spec) })
		}
	}
}

func testTies(t *testing.T, spec board.Spec) {
	const writers = 4
	each := 20 * howMany(12)
	g := newGame(t, false)
	b := g.define(spec)
	live, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	stop := make(chan struct{})
	var wait, reading sync.WaitGroup
	reading.Go(func() { readTies(t, live, spec.Ties, stop) })
	var calls atomic.Int64
	all := make([]arrival, writers*each)
	order := rand.New(rand.NewPCG(1, 22)).Perm(len(all)) // names come in no order
	for w := range writers {
		wait.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 23))
			for i := w * each; i < (w+1)*each; i++ {
				a := &all[i]
				a.member, a.at = fmt.Sprintf("m%05d", order[i]), testclock.Noon.Add(-time.Duration(rng.IntN(3))*time.Microsecond)
				a.began = calls.Add(1)
				var err error
				a.change, err = b.Submit(t.Context(), board.Submission{Member: a.member, Score: board.Ints(7), At: a.at, Near: 2, Overtaken: 3})
				if a.ended = calls.Add(1); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	close(stop)
	reading.Wait()
	slices.SortFunc(all, func(a, b arrival) int { return compareTies(spec.Ties, a.at, b.at, a.member, b.member) })
	for i := range all {
		requireArrival(t, spec.Ties, all, i)
	}
	rows, err := live.Top(t.Context(), len(all))
	require.NoError(t, err)
	require.Len(t, rows, len(all))
	for i, a := range all {
		require.Equal(t, a.member, rows[i].Member)
	}
}

// compareTies orders two members of equal score.
func compareTies(ties board.Ties, at, other time.Time, member, otherMember string) int {
	earlier := at.Compare(other)
	switch ties {
	case board.ByMember:
		earlier = 0
	case board.LastToReach:
		earlier = -earlier
	}
	return cmp.Or(earlier, strings.Compare(member, otherMember))
}

// requireArrival checks the Change of the i-th of all members in their final order, which is their order from the beginning.
func requireArrival(t *testing.T, ties board.Ties, all []arrival, i int) {
	t.Helper()
	a, c := &all[i], &all[i].change
	var sure, possible [2]int // members before it, and members behind it
	for j := range all {
		side := 0
		if j > i {
			side = 1
		}
		if j != i && all[j].ended < a.began {
			sure[side]++
		}
		if j != i && all[j].began < a.ended {
			possible[side]++
		}
	}
	require.True(t, sure[0] < c.After.Rank && c.After.Rank <= possible[0]+1, "%s: rank %d, between %d and %d", a.member, c.After.Rank, sure[0]+1, possible[0]+1)
	require.True(t, sure[1] <= c.Passed && c.Passed <= possible[1], "%s: passed %d, between %d and %d", a.member, c.Passed, sure[1], possible[1])
	require.Equal(t, c.Len, c.After.Rank+c.Passed)
	requireTies(t, ties, c.Near, 0)
	requireTies(t, ties, c.Overtaken, c.After.Rank+1)
	require.Len(t, c.Overtaken, min(3, c.Passed))
	for _, row := range c.Overtaken {
		require.Positive(t, compareTies(ties, reachedOf(ties, row, a.at), a.at, row.Member, a.member), "%s: overtaken %+v", a.member, row)
	}
	require.True(t, slices.ContainsFunc(c.Near, func(row board.Row) bool { return row.Member == a.member && row.Rank == c.After.Rank }), "%s: %+v", a.member, c.Near)
}

// reachedOf returns when a row was reached, and at if rows do not say that.
func reachedOf(ties board.Ties, row board.Row, at time.Time) time.Time {
	if ties == board.ByMember {
		return at
	}
	return row.Reached
}

// requireTies checks that rows are in order and have consecutive ranks, the first of them first unless that is 0.
func requireTies(t *testing.T, ties board.Ties, rows []board.Row, first int) {
	for i := range rows {
		if i > 0 && (rows[i].Rank != rows[i-1].Rank+1 || compareTies(ties, rows[i-1].Reached, rows[i].Reached, rows[i-1].Member, rows[i].Member) >= 0) ||
			i == 0 && first > 0 && rows[0].Rank != first {
			t.Errorf("row %d, %+v, behind %+v; the first should have rank %d", i, rows[i], rows[max(i-1, 0)], first)
			return
		}
	}
}

// readTies reads rankings until stop is closed.
func readTies(t *testing.T, r board.Ranking, ties board.Ties, stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		rows, err := r.Top(t.Context(), 1<<20)
		if err != nil {
			t.Error(err)
		}
		requireTies(t, ties, rows, 1)
		if len(rows) == 0 {
			continue
		}
		around, ok, err := r.Around(t.Context(), rows[len(rows)/2].Member, 5)
		if !ok || err != nil {
			t.Error(ok, err)
		}
		requireTies(t, ties, around, 0)
	}
}

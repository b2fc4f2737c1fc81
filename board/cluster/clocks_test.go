package cluster

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// clocks is two processes whose clocks differ, and their board.
type clocks struct {
	t                      *testing.T
	time                   time.Time // of the slower one
	slow, fast             *clusterBoard
	slowBoards, fastBoards *Boards
}

func newClocks(t *testing.T, client redis.UniversalClient, partitions int) *clocks {
	c := &clocks{t: t, time: time.Date(2026, 11, 26, 12, 58, 0, 0, time.UTC)}
	o := Options{Prefix: fmt.Sprint("test", prefixes.Add(1), ":"), Partitions: partitions}
	spec := board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.Hour, board.All}}
	process := func(ahead time.Duration) (*Boards, *clusterBoard) {
		o.Clock = func() time.Time { return c.time.Add(ahead) }
		boards, err := Open(client, o)
		require.NoError(t, err)
		b, err := concrete(boards.Define(t.Context(), spec))
		require.NoError(t, err)
		return boards, b
	}
	c.slowBoards, c.slow = process(0)
	c.fastBoards, c.fast = process(5 * time.Minute)
	return c
}

// one submits 1 for ada.
func (c *clocks) one(b *clusterBoard, sub board.Submission) (board.Change, error) {
	sub.Member, sub.Score = "ada", board.Ints(1)
	return b.Submit(context.Background(), sub)
}

// requireHours compares what both processes see of all hours.
func (c *clocks) requireHours(want string) {
	ctx := context.Background()
	for _, b := range []*clusterBoard{c.slow, c.fast} {
		periods, err := b.Periods(ctx, "hour")
		require.NoError(c.t, err)
		hours := ""
		for _, p := range periods {
			r, err := b.Period(ctx, "hour", p.Period)
			require.NoError(c.t, err)
			score, _, err := r.Score(ctx, "ada")
			require.NoError(c.t, err)
			hours += fmt.Sprint(p.Period[11:13], "h ", score, " closed:", p.Closed, "; ")
		}
		require.Equal(c.t, want, hours)
	}
}

// requireClosed requires that closing closes so many periods.
func (c *clocks) requireClosed(boards *Boards, want int) {
	n, err := boards.CloseDue(context.Background())
	require.NoError(c.t, err)
	require.Equal(c.t, want, n)
}

// TestClocksDiffer: the clock of one process is five minutes ahead. Each submission lands in the period of its own clock. The first process to close an hour closes it for
// all: the slower one is told that it is closed until its own clock is in the next hour. Nothing is lost silently, and nothing counts twice.
func TestClocksDiffer(t *testing.T) {
	client := plainClient(t, start(t, 1))
	for _, partitions := range []int{1, 3} {
		c := newClocks(t, client, partitions)
		change, err := c.one(c.slow, board.Submission{Once: "first"})
		require.NoError(t, err)
		require.Equal(t, "2026-11-26T12", change.Period)
		change, err = c.one(c.fast, board.Submission{})
		require.NoError(t, err)
		require.Equal(t, "2026-11-26T13", change.Period)
		change, err = c.one(c.fast, board.Submission{Once: "first"})
		require.NoError(t, err)
		require.True(t, change.Duplicate, "in another period than before")
		c.requireHours("12h 1 closed:false; 13h 1 closed:false; ")
		_, err = c.one(c.slow, board.Submission{At: c.time.Add(5 * time.Minute)})
		require.ErrorIs(t, err, board.ErrTime, "of the future")

		c.requireClosed(c.slowBoards, 0)
		c.requireClosed(c.fastBoards, 1)
		var closed *board.PeriodClosedError
		for _, sub := range []board.Submission{{}, {At: c.time}, {Once: "second"}} {
			_, err = c.one(c.slow, sub)
			require.ErrorAs(t, err, &closed)
			require.Equal(t, "2026-11-26T12", closed.Period)
			require.Empty(t, closed.Live, "by its clock no other hour has begun")
		}
		_, err = c.one(c.slow, board.Submission{Windows: []string{"all"}})
		require.NoError(t, err, "the other window goes on")
		c.requireClosed(c.slowBoards, 0)
		c.requireHours("12h 1 closed:true; 13h 1 closed:false; ")

		c.time = c.time.Add(2 * time.Minute)
		change, err = c.one(c.slow, board.Submission{Once: "second"})
		require.NoError(t, err)
		require.False(t, change.Duplicate, "what was refused has not used its Once key")
		require.Equal(t, "2026-11-26T13", change.Period)
		_, err = c.one(c.slow, board.Submission{At: c.time.Add(-time.Minute)})
		require.ErrorAs(t, err, &closed)
		require.Equal(t, "2026-11-26T13", closed.Live)
		require.NoError(t, c.slow.same(map[string]int64{"ada": 4}, "all"))
		require.NoError(t, c.fast.same(map[string]int64{"ada": 4}, "all"))
		c.requireHours("12h 1 closed:true; 13h 2 closed:false; ")
		c.slow.checkStored(t)
	}
}

// TestOnceOverClocks: a Once key is forgotten by the clock of the process that asks, so OnceFor must be longer than clocks differ.
func TestOnceOverClocks(t *testing.T) {
	client := plainClient(t, start(t, 1))
	now := time.Date(2026, 11, 26, 12, 58, 0, 0, time.UTC)
	for _, row := range []struct {
		onceFor   time.Duration
		duplicate bool
	}{{time.Hour, true}, {time.Minute, false}} {
		o := Options{Prefix: fmt.Sprint("test", prefixes.Add(1), ":")}
		for i, ahead := range []time.Duration{0, 5 * time.Minute} {
			o.Clock = func() time.Time { return now.Add(ahead) }
			boards, err := Open(client, o)
			require.NoError(t, err)
			b, err := concrete(boards.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum, OnceFor: window.Duration(row.onceFor)}))
			require.NoError(t, err)
			c, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), Once: "k"})
			require.NoError(t, err)
			require.Equal(t, i == 1 && row.duplicate, c.Duplicate)
		}
	}
}

// TestAnotherSpec: a process that defines a board with another spec than another process did is told in which field they differ, and has changed nothing.
func TestAnotherSpec(t *testing.T) {
	client := plainClient(t, start(t, 1))
	o := Options{Prefix: "test:"}
	ours, err := Open(client, o)
	require.NoError(t, err)
	theirs, err := Open(client, o)
	require.NoError(t, err)
	b, err := concrete(ours.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum}))
	require.NoError(t, err)
	_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
	require.NoError(t, err)
	for field, spec := range map[string]board.Spec{
		"op":         {Name: "arena", Op: board.Best},
		"window day": {Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day}},
		"ties":       {Name: "arena", Op: board.Sum, Ties: board.ByMember},
	} {
		_, err := theirs.Define(t.Context(), spec)
		require.ErrorIs(t, err, board.ErrSpecChanged)
		require.ErrorContains(t, err, field)
	}
	same, err := concrete(theirs.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum}))
	require.NoError(t, err)
	require.NoError(t, same.same(map[string]int64{"ada": 1}, "all"))
}

package cluster

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// decided returns a submission that is decided and not stored yet.
func (b *clusterBoard) decided(t *testing.T, sub board.Submission) *plan {
	p, err := b.newPlan(sub, nil)
	require.NoError(t, err)
	_, err = p.read(context.Background())
	require.NoError(t, err)
	_, err = p.decide(context.Background())
	require.NoError(t, err)
	return p
}

// TestRefusedAfterUndecided: the answer to a submission with a Once key is lost, and the servers refuse the retries. It is undecided, since it was made.
func TestRefusedAfterUndecided(t *testing.T) {
	s, lose := start(t, 1), new(atomic.Bool)
	ctx := context.Background()
	client := redis.NewClient(&redis.Options{Addr: s.one(), MaxRetries: -1, PoolSize: 1, Dialer: func(_ context.Context, network, addr string) (net.Conn, error) {
		c, err := net.Dial(network, addr)
		return losing{c, lose}, err
	}})
	t.Cleanup(func() { _ = client.Close() })
	admin := plainClient(t, s)
	c := newCounter(t, client, Options{})
	c.add(t, "ada", "") // the connections are there
	sub := board.Submission{Member: "ada", Score: board.Ints(1), Once: "once"}
	p := c.decided(t, sub)
	require.NoError(t, admin.ConfigSet(ctx, "requirepass", "x").Err()) // who is connected stays so; the retry cannot connect
	lose.Store(true)
	_, _, err := p.store(ctx, false)
	require.ErrorIs(t, err, ErrUndecided)
	require.True(t, redis.IsAuthError(err), err)
	require.NoError(t, admin.ConfigSet(ctx, "requirepass", "").Err())
	change, err := c.Submit(ctx, sub)
	require.NoError(t, err)
	require.True(t, change.Duplicate)
	require.NoError(t, c.same(map[string]int64{"ada": 2}, "all"))
}

// TestOnceAtTheSameTime: two callers submit with one Once key at the same time, and neither changes what is stored. One of them counts.
func TestOnceAtTheSameTime(t *testing.T) {
	client := plainClient(t, start(t, 1))
	for _, partitions := range []int{1, 3} {
		boards, err := Open(client, Options{Prefix: fmt.Sprint("test", prefixes.Add(1), ":"), Partitions: partitions})
		require.NoError(t, err)
		b, err := concrete(boards.Define(t.Context(), board.Spec{Name: "arena", Op: board.Best}))
		require.NoError(t, err)
		_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(10)})
		require.NoError(t, err)
		sub := board.Submission{Member: "ada", Score: board.Ints(5), Once: "once"}
		first, second := b.decided(t, sub), b.decided(t, sub)
		made, _, err := first.store(t.Context(), false)
		require.NoError(t, err)
		require.True(t, made)
		made, _, err = second.store(t.Context(), false)
		require.NoError(t, err)
		require.False(t, made)
		change, err := second.run(t.Context(), true)
		require.NoError(t, err)
		require.True(t, change.Duplicate)
	}
}

// TestClosedMeanwhile: an hour is closed by another process after a submission to it was decided. It is not stored: one without a time goes to the next hour.
func TestClosedMeanwhile(t *testing.T) {
	client := plainClient(t, start(t, 1))
	for _, partitions := range []int{1, 3} {
		c := newClocks(t, client, partitions)
		_, err := c.one(c.slow, board.Submission{})
		require.NoError(t, err)
		at := c.slow.decided(t, board.Submission{Member: "ada", Score: board.Ints(1), At: c.time})
		p := c.slow.decided(t, board.Submission{Member: "ada", Score: board.Ints(1)})
		c.requireClosed(c.fastBoards, 1)
		_, _, err = at.store(t.Context(), false)
		require.ErrorIs(t, err, board.ErrPeriodClosed)
		c.time = c.time.Add(3 * time.Minute)
		made, _, err := p.store(t.Context(), false)
		require.Error(t, err)
		require.False(t, made)
		change, err := c.one(c.slow, board.Submission{})
		require.NoError(t, err)
		require.Equal(t, "2026-11-26T13", change.Period)
		c.requireHours("12h 1 closed:true; 13h 1 closed:false; ")
	}
}

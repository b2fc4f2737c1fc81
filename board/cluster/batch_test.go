package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// transfer is a batch that takes points from one member and gives them to another.
func transfer(from, to string, points int64) []board.Submission {
	return []board.Submission{{Member: from, Score: board.Ints(-points)}, {Member: to, Score: board.Ints(points)}}
}

// TestTransfers: callers of several processes transfer points between the same members. Every change of a batch has the ranks of one moment: of two members one is first and the
// other one second; and in the end the points are what they were.
func TestTransfers(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: start(t, 1).one(), PoolSize: 40})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	o := Options{Prefix: "test:"}
	open := func() *clusterBoard {
		boards, err := Open(client, o)
		require.NoError(t, err)
		b, err := concrete(boards.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum}))
		require.NoError(t, err)
		return b
	}
	_, err := open().SubmitAll(t.Context(), transfer("m1", "m0", 0))
	require.NoError(t, err)
	var callers sync.WaitGroup
	var moved [2]atomic.Int64
	for i := range 6 {
		b := open()
		callers.Go(func() {
			for n := range int64(50) {
				changes, err := b.SubmitAll(t.Context(), transfer(fmt.Sprint("m", i%2), fmt.Sprint("m", 1-i%2), n%5))
				if err != nil {
					t.Error(err)
					return
				}
				if a, b := changes[1].After, changes[0].After; a.Rank+b.Rank != 3 || changes[1].Len != 2 || changes[0].Len != 2 {
					if changes[0].After.Rank != 1 || changes[1].After.Rank != 1 { // the first may have been overtaken by the second
						t.Errorf("%+v", changes)
					}
				}
				moved[i%2].Add(n % 5)
			}
		})
	}
	callers.Wait()
	live, err := open().Live(t.Context(), "all")
	require.NoError(t, err)
	score, _, err := live.Score(t.Context(), "m0")
	require.NoError(t, err)
	require.Equal(t, moved[1].Load()-moved[0].Load(), score.Int(0))
	score, _, err = live.Score(t.Context(), "m1")
	require.NoError(t, err)
	require.Equal(t, moved[0].Load()-moved[1].Load(), score.Int(0))
}

// TestBatchAnswerLost: a batch that loses any one of its answers has counted as a whole, or not at all; with a Once key it counts once, also when it is sent again.
func TestBatchAnswerLost(t *testing.T) {
	s, left := start(t, 1), new(atomic.Int64)
	client := redis.NewClient(&redis.Options{Addr: s.one(), MaxRetries: -1, PoolSize: 1, Dialer: func(_ context.Context, network, addr string) (net.Conn, error) {
		c, err := net.Dial(network, addr)
		return countdown{c, left}, err
	}})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	for _, once := range []bool{false, true} {
		c := newCounter(t, client, Options{})
		counted, undecided, unranked := int64(0), 0, 0
		for lose, isMade := int64(1), false; !isMade; lose++ {
			c.add(t, "warm", "")
			batch := transfer("ada", "bea", 1)
			if once {
				batch[0].Once = fmt.Sprint("once", lose)
			}
			left.Store(lose)
			_, err := c.SubmitAll(t.Context(), batch)
			isMade = left.Swap(0) > 0
			live, wrong := c.Live(t.Context(), "all")
			require.NoError(t, wrong)
			ada, _, wrong := live.Score(t.Context(), "ada")
			require.NoError(t, wrong)
			bea, _, wrong := live.Score(t.Context(), "bea")
			require.NoError(t, wrong)
			has := int64(0)
			if bea.Len() > 0 {
				require.Equal(t, -bea.Int(0), ada.Int(0))
				has = bea.Int(0)
			}
			switch {
			case errors.Is(err, ErrUndecided):
				undecided++
				counted = has
			case errors.Is(err, ErrNoRanks), err == nil:
				if err != nil {
					unranked++
				}
				counted++
			}
			require.Equal(t, counted, has, "%v", err)
			if !once {
				continue
			}
			batch[1] = board.Submission{Member: "warm", Score: board.Ints(0)}
			changes, err := c.SubmitAll(t.Context(), batch)
			require.NoError(t, err)
			if !changes[0].Duplicate { // it was not made before
				_, err = c.SubmitAll(t.Context(), []board.Submission{{Member: "bea", Score: board.Ints(1)}})
				require.NoError(t, err)
				counted++
			}
		}
		require.Equal(t, once, unranked > 0)
		require.Equal(t, once, undecided == 0)
	}
}

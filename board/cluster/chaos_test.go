package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
)

// refusedCalls are errors that say what the board is like at the moment of a random call.
var refusedCalls = []error{board.ErrPeriodClosed, board.ErrHidden, board.ErrNotHidden, board.ErrNotRanked, board.ErrExists, board.ErrAction, ErrUnsupported}

// chaos is processes that make random calls, none of which takes points away, to a board whose hours close.
type chaos struct {
	t       *testing.T
	client  redis.UniversalClient
	o       Options
	counted atomic.Int64
}

// process makes random calls of one process.
func (c *chaos) process(seed uint64) {
	boards, err := Open(c.client, c.o)
	require.NoError(c.t, err)
	b, err := concrete(boards.Define(context.Background(), board.Spec{Name: "arena", Op: board.Sum, MaxMeta: 8, Windows: []board.Window{board.All, shortHour}}))
	require.NoError(c.t, err)
	rng := rand.New(rand.NewPCG(seed, uint64(c.o.Partitions)))
	for n := range 80 {
		if err := c.call(boards, b, rng, fmt.Sprint(seed, " ", n)); err != nil {
			c.t.Error(err)
			return
		}
	}
}

// call makes one random call. Error: one that the board's state does not explain.
func (c *chaos) call(boards *Boards, b *clusterBoard, rng *rand.Rand, once string) (err error) {
	ctx, a := context.Background(), board.Action{By: "ops", Reason: "chaos"}
	member, other := fmt.Sprint("m", rng.IntN(6)), fmt.Sprint("m", rng.IntN(6))
	switch rng.IntN(16) {
	case 0:
		_, err = b.Hide(ctx, member, a)
	case 1, 2:
		_, err = b.Show(ctx, member, a)
	case 3:
		_, err = b.Rename(ctx, member, other, a)
	case 4:
		_, err = b.Merge(ctx, member, other, a)
	case 5:
		err = b.SetMeta(ctx, "all", member, []byte(once)[:1])
	case 6:
		_, err = boards.CloseDue(ctx)
	case 7:
		err = c.client.ScriptFlush(ctx).Err()
	case 8, 9: // twice, which counts once
		sub := board.Submission{Member: member, Score: board.Ints(1), Once: member + once}
		for range 2 {
			var counted bool
			if counted, err = b.Apply(ctx, sub); counted {
				c.counted.Add(1)
			}
		}
	default:
		var counted bool
		if counted, err = b.Apply(ctx, board.Submission{Member: member, Score: board.Ints(1)}); counted {
			c.counted.Add(1)
		}
	}
	for _, known := range refusedCalls {
		if errors.Is(err, known) {
			return nil
		}
	}
	return err
}

// points returns the points that are stored in all periods of a window, those of hidden members too.
func (c *chaos) points(b *clusterBoard, window string) (sum int64) {
	ctx := context.Background()
	had, err := b.refresh(ctx)
	require.NoError(c.t, err)
	for of := range had[window] {
		for k := range b.partitions() {
			values, err := b.client().HGetAll(ctx, b.keys.Values(k, window, of)).Result()
			require.NoError(c.t, err)
			for _, stored := range values {
				v, err := layout.DecodeValue(stored, b.st.Rules.TieWidth())
				require.NoError(c.t, err)
				e := v.Entry(b.st.Rules)
				sum += e.Score.Int(0)
			}
		}
	}
	return sum
}

// checkRanks checks that each ranking is a permutation: place by place, rank by rank, without hidden members.
func (c *chaos) checkRanks(b *clusterBoard, window string) {
	ctx := context.Background()
	periods, err := b.Periods(ctx, window)
	require.NoError(c.t, err)
	for _, p := range periods {
		r, err := b.Period(ctx, window, p.Period)
		require.NoError(c.t, err)
		rows, err := r.Top(ctx, 100)
		require.NoError(c.t, err)
		require.Len(c.t, rows, p.Members)
		for i, row := range rows {
			rank, ok, err := r.Rank(ctx, row.Member)
			require.NoError(c.t, err)
			require.True(c.t, ok && rank.Rank == i+1 && row.Rank == i+1, "%s %s: %+v and %+v", window, p.Period, row, rank)
			hidden, err := b.IsHidden(ctx, row.Member)
			require.NoError(c.t, err)
			require.False(c.t, hidden, row.Member)
		}
	}
}

// TestChaos: several processes submit, hide, show, rename, merge and close hours at once, while scripts are forgotten and a slot moves. No point is lost and none counts
// twice, sorted sets and hashes agree, and every ranking is a permutation.
func TestChaos(t *testing.T) {
	s := startCluster(t, 2, 0)
	for _, partitions := range []int{1, 3} {
		clock := new(atomic.Int64)
		c := &chaos{t: t, client: s.client(t), o: Options{Partitions: partitions, Prefix: fmt.Sprint("test", prefixes.Add(1), ":"),
			Clock: func() time.Time { return time.UnixMilli(1_800_000_000_000 + 10*clock.Add(1)) }}}
		boards, err := Open(c.client, c.o)
		require.NoError(t, err)
		b, err := concrete(boards.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum, MaxMeta: 8, Windows: []board.Window{board.All, shortHour}}))
		require.NoError(t, err)
		slot, err := c.client.ClusterKeySlot(t.Context(), b.keys.Fence(0)).Result()
		require.NoError(t, err)
		var processes sync.WaitGroup
		for seed := range uint64(6) {
			processes.Go(func() { c.process(seed) })
		}
		from := s.ownerIndex(t, int(slot))
		for range 6 {
			require.NoError(t, s.moveSlot(int(slot), from, 1-from))
			from = 1 - from
		}
		processes.Wait()
		require.Positive(t, c.counted.Load())
		for _, window := range []string{"all", "hour"} {
			require.Equal(t, c.counted.Load(), c.points(b, window), "%d partitions, window %s", partitions, window)
			c.checkRanks(b, window)
		}
		b.checkStored(t)
		t.Logf("%d partitions: %d points", partitions, c.counted.Load())
	}
}

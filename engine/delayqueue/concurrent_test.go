package delayqueue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
)

// tally counts what workers did with each item.
type tally struct {
	mu               sync.Mutex
	delivered, acked map[string]int
	left             int
	done             context.CancelCauseFunc
}

var errAllDone = errors.New("all done")

func newTally(ctx context.Context, items int) (context.Context, *tally) {
	ctx, done := context.WithCancelCause(ctx)
	return ctx, &tally{delivered: map[string]int{}, acked: map[string]int{}, left: items, done: done}
}

func (t *tally) deliver(l Lease) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.delivered[l.ID]++
}

func (t *tally) ack(l Lease) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.acked[l.ID]++
	if t.left--; t.left == 0 {
		t.done(errAllDone)
	}
}

// TestWorkers: some goroutines push and others work, on a disk and in memory. If no worker is slow, every item is delivered once and
// acknowledged once.
func TestWorkers(t *testing.T) {
	const producers, workers = 4, 8
	each := times(250)
	for name, e := range map[string]*engine.Engine{"memory": newMemory(t, nil), "disk": mustEngine(t, memfs.New(), nil)} {
		q := mustOpen(t, e, Spec{Name: "q"})
		ctx, tally := newTally(t.Context(), producers*each)
		var wg sync.WaitGroup
		errs := make(chan error, producers+workers)
		for p := range producers {
			wg.Go(func() { errs <- produce(q, p, each) })
		}
		for n := range workers {
			wg.Go(func() { errs <- work(ctx, q, 1+n%3, tally) })
		}
		wg.Wait()
		for range producers + workers {
			require.NoError(t, <-errs)
		}
		require.Len(t, tally.acked, producers*each)
		for id, n := range tally.acked {
			require.Equal(t, []int{1, 1}, []int{n, tally.delivered[id]}, "%s: %s", name, id)
		}
		require.Equal(t, Stats{}, mustStats(t, q))
		require.NoError(t, e.Close())
		t.Logf("%s: %d items of %d producers, %d workers: each delivered once and acknowledged once", name, producers*each, producers, workers)
	}
}

func produce(q *Queue, p, each int) error {
	for i := range each {
		due := time.Now().Add(time.Duration(i%7) * time.Millisecond)
		if err := q.Push(context.Background(), Item{ID: fmt.Sprintf("%d/%d", p, i), Due: due, New: true}); err != nil {
			return err
		}
	}
	return nil
}

// work acknowledges the items that it receives, until ctx ends because all are done.
func work(ctx context.Context, q *Queue, n int, tally *tally) error {
	for {
		leases, err := q.Receive(ctx, n, time.Hour)
		if errors.Is(err, errAllDone) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, l := range leases {
			tally.deliver(l)
		}
		if err := q.Ack(ctx, leases...); err != nil {
			return err
		}
		for _, l := range leases {
			tally.ack(l)
		}
	}
}

// TestSlowWorkers: workers sometimes take longer than their lease, return an item by Nack, or abandon it. Every item is acknowledged exactly
// once, however often it was delivered; a call with a stale lease gets ErrStale.
func TestSlowWorkers(t *testing.T) {
	items, again, stale := times(500), 0, 0
	synctest.Test(t, func(t *testing.T) {
		q := mustOpen(t, newMemory(t, time.Now), Spec{Name: "q"})
		ctx, tally := newTally(t.Context(), items)
		for i := range items {
			require.NoError(t, q.Push(ctx, Item{ID: fmt.Sprint(i), Due: time.Now().Add(time.Duration(i) * 10 * time.Millisecond)}))
		}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for n := range 10 {
			wg.Go(func() {
				late, err := slowWork(ctx, q, rand.New(rand.NewPCG(uint64(n), 4)), tally)
				mu.Lock()
				defer mu.Unlock()
				stale += late
				if !errors.Is(err, errAllDone) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		require.Len(t, tally.acked, items)
		for id, n := range tally.acked {
			require.Equal(t, 1, n, id)
			again += tally.delivered[id] - 1
		}
		require.Equal(t, Stats{}, mustStats(t, q))
	})
	require.Positive(t, stale)
	t.Logf("%d items, each acknowledged once; %d further deliveries, %d stale calls refused", items, again, stale)
}

// slowWork works at random speed, and returns how many of its calls got ErrStale.
func slowWork(ctx context.Context, q *Queue, rng *rand.Rand, tally *tally) (late int, err error) {
	for {
		leases, err := q.Receive(ctx, 1, time.Second)
		if err != nil {
			return late, err
		}
		l := leases[0]
		tally.deliver(l)
		time.Sleep(time.Duration(rng.IntN(1200)) * time.Millisecond)
		switch rng.IntN(10) {
		case 0:
			continue // abandons the item
		case 1:
			err = q.Nack(ctx, l, time.Duration(rng.IntN(500))*time.Millisecond)
		case 2:
			_, err = q.Extend(ctx, l, time.Second)
			time.Sleep(time.Duration(rng.IntN(1500)) * time.Millisecond)
		default:
			if err = q.Ack(ctx, l); err == nil {
				tally.ack(l)
			}
		}
		if errors.Is(err, ErrStale) {
			late++
		} else if err != nil {
			return late, err
		}
	}
}

package delayqueue

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
)

// received is what a goroutine got, and how long after the beginning.
type received struct {
	who   int
	items string
	after time.Duration
	err   error
}

// bubble is a queue on fake time with goroutines that receive.
type bubble struct {
	t     *testing.T
	q     *Queue
	begin time.Time
	got   chan received
}

func inBubble(t *testing.T, maxDeliveries int, fn func(b *bubble)) {
	synctest.Test(t, func(t *testing.T) {
		q := mustOpen(t, newMemory(t, time.Now), Spec{Name: "q", MaxDeliveries: maxDeliveries})
		fn(&bubble{t, q, time.Now(), make(chan received, 100)})
	})
}

// receive starts a goroutine that receives up to n items for a minute.
func (b *bubble) receive(ctx context.Context, who, n int) {
	go func() {
		leases, err := b.q.Receive(ctx, n, time.Minute)
		b.got <- received{who, ids(leases), time.Since(b.begin), err}
	}()
	synctest.Wait()
}

func (b *bubble) push(id string, in time.Duration) {
	require.NoError(b.t, b.q.Push(context.Background(), Item{ID: id, Due: time.Now().Add(in)}))
	synctest.Wait()
}

// nothing checks that nobody has received anything.
func (b *bubble) nothing() {
	synctest.Wait()
	require.Empty(b.t, b.got)
}

// TestReceiveWaits: Receive waits until an item is due, and returns earlier if an item is pushed that is due earlier.
func TestReceiveWaits(t *testing.T) {
	inBubble(t, 0, func(b *bubble) {
		b.receive(b.t.Context(), 1, 10)
		b.push("late", time.Hour)
		b.push("soon", time.Minute)
		b.push("later", 2*time.Hour)
		time.Sleep(time.Minute - time.Microsecond)
		b.nothing()
		time.Sleep(time.Microsecond)
		require.Equal(t, received{1, "soon", time.Minute, nil}, <-b.got)

		b.receive(b.t.Context(), 2, 10) // the lease of "soon" runs out first
		require.Equal(t, received{2, "soon", 2 * time.Minute, nil}, <-b.got)
		b.push("now", 0)
		b.receive(b.t.Context(), 3, 10)
		require.Equal(t, received{3, "now", 2 * time.Minute, nil}, <-b.got)
	})
}

// TestReceiveWakes: every call that makes an item due wakes a goroutine that waits.
func TestReceiveWakes(t *testing.T) {
	inBubble(t, 1, func(b *bubble) {
		b.push("a", 0)
		l := mustLease(t, b.q, 1, time.Hour)[0]
		b.receive(b.t.Context(), 1, 1)
		l, err := b.q.Extend(b.t.Context(), l, 10*time.Second)
		require.NoError(t, err)
		time.Sleep(10 * time.Second)
		b.nothing() // it has died, and nothing is left to wait for
		n, err := b.q.Redrive(b.t.Context(), "a", "nobody")
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, received{1, "a", 10 * time.Second, nil}, <-b.got)
		require.ErrorIs(t, b.q.Nack(b.t.Context(), l, 0), ErrStale)
	})
	inBubble(t, 0, func(b *bubble) {
		b.push("a", 0)
		l := mustLease(t, b.q, 1, time.Hour)[0]
		b.receive(b.t.Context(), 1, 1)
		require.NoError(t, b.q.Nack(b.t.Context(), l, 3*time.Second))
		require.Equal(t, received{1, "a", 3 * time.Second, nil}, <-b.got)
	})
}

// TestClockLeaps: after a leap of the clock another goroutine leases an item before the watching one notices that it is due. The watching one
// then wakes when that lease runs out.
func TestClockLeaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var leap atomic.Int64
		q := mustOpen(t, newMemory(t, func() time.Time { return time.Now().Add(time.Duration(leap.Load())) }), Spec{Name: "q"})
		b := &bubble{t, q, time.Now(), make(chan received, 100)}
		b.push("a", time.Hour)
		b.receive(b.t.Context(), 1, 1)
		leap.Store(int64(2 * time.Hour))
		require.Equal(t, "a", ids(mustLease(t, q, 1, time.Minute)))
		require.Equal(t, received{1, "a", time.Minute, nil}, <-b.got)
	})
}

// gate is a disk whose writes wait while mu is locked.
type gate struct{ mu sync.RWMutex }

func (g *gate) String() string { return "gate" }

func (g *gate) MaybeError(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
		g.mu.RLock()
		defer g.mu.RUnlock()
	}
	return nil
}

// TestReceiveWhileOthersWrite: while one goroutine waits until the disk has written its lease, the next one gets its item.
func TestReceiveWhileOthersWrite(t *testing.T) {
	g := &gate{}
	e := mustEngine(t, errorfs.Wrap(memfs.New(), g), time.Now)
	q := mustOpen(t, e, Spec{Name: "q"})
	pushAll(t, q, "a", "b", "c")
	g.mu.Lock()
	got := make(chan received, 3)
	for who := range 3 {
		go func() {
			leases, err := q.Receive(t.Context(), 1, time.Hour)
			got <- received{who, ids(leases), 0, err}
		}()
	}
	for mustStats(t, q).Leased < 3 {
		runtime.Gosched()
	}
	require.Empty(t, got)
	g.mu.Unlock()
	for range 3 {
		r := <-got
		require.NoError(t, r.err)
		require.Len(t, r.items, 1)
	}
	require.NoError(t, e.Close())
}

// TestReceiveInTurn: goroutines are served in the order in which they came, and each item goes to one of them. A goroutine that gives up is
// skipped.
func TestReceiveInTurn(t *testing.T) {
	inBubble(t, 0, func(b *bubble) {
		ctx, cancel := context.WithCancelCause(b.t.Context())
		gone := errors.New("gone home")
		for who := range 6 {
			if who == 0 || who == 3 {
				b.receive(ctx, who, 2)
			} else {
				b.receive(b.t.Context(), who, 2)
			}
		}
		cancel(gone)
		for range 2 {
			require.ErrorIs(t, (<-b.got).err, gone)
		}
		require.NoError(t, b.q.Push(b.t.Context(), Item{ID: "a"}, Item{ID: "b"}, Item{ID: "c"}, Item{ID: "d"}, Item{ID: "e"}))
		synctest.Wait()
		got := map[int]string{}
		for range 3 {
			r := <-b.got
			got[r.who] = r.items
		}
		require.Equal(t, map[int]string{1: "a b", 2: "c d", 4: "e"}, got)
		b.nothing()
		b.push("f", time.Second)
		require.Equal(t, received{5, "f", time.Second, nil}, <-b.got)
		_, err := b.q.Receive(ctx, 1, time.Minute)
		require.ErrorIs(t, err, gone)
	})
}

// TestReceiveIsFrugal: of 50 goroutines that wait, only one watches, and no goroutine polls: the reads of the clock are counted.
func TestReceiveIsFrugal(t *testing.T) {
	var looks atomic.Int64
	synctest.Test(t, func(t *testing.T) {
		clock := func() time.Time { looks.Add(1); return time.Now() }
		q := mustOpen(t, newMemory(t, clock), Spec{Name: "q"})
		b := &bubble{t, q, time.Now(), make(chan received, 100)}
		for who := range 50 {
			b.receive(b.t.Context(), who, 1)
		}
		require.NoError(t, q.Push(t.Context(), Item{ID: "far", Due: time.Now().Add(24 * time.Hour)}))
		synctest.Wait()
		looks.Store(0)
		time.Sleep(23 * time.Hour)
		require.Zero(t, looks.Load(), "nobody polls")
		for i := range 49 {
			b.push(fmt.Sprint(i), 0)
			require.Equal(t, i, (<-b.got).who)
		}
		synctest.Wait()
		// A push reads the clock once. The watching goroutine reads it to look and to lease. The next one reads it when its turn comes, and
		// when the lease wakes it.
		require.LessOrEqual(t, looks.Load(), int64(49*6))
		time.Sleep(time.Hour)
		<-b.got
	})
	t.Logf("49 items for 50 that wait: %d looks at the clock", looks.Load())
}

// TestPushInTransaction: a goroutine in Receive gets the item after the transaction has committed, and nothing if it is rolled back.
func TestPushInTransaction(t *testing.T) {
	inBubble(t, 0, func(b *bubble) {
		b.receive(b.t.Context(), 1, 10)
		for _, want := range []error{errors.New("not after all"), nil} {
			err := b.q.e.Update(b.t.Context(), func(tx *engine.Tx) error {
				orders, err := tx.Set("orders")
				require.NoError(t, err)
				_, err = orders.IncrBy([]byte("ada"), 1)
				require.NoError(t, err)
				require.NoError(t, b.q.PushTx(tx, Item{ID: "ship"}))
				return want
			}, append(b.q.Keys(nil), "orders")...)
			require.Equal(t, want, err)
			synctest.Wait()
			require.Len(t, b.got, map[bool]int{true: 1}[want == nil])
		}
		require.Equal(t, received{1, "ship", 0, nil}, <-b.got)
	})
}

// TestReceiveEnds: Receive ends when the engine is closed, at its next look, and at once with a context that has ended before.
func TestReceiveEnds(t *testing.T) {
	inBubble(t, 0, func(b *bubble) {
		b.push("a", time.Minute)
		b.receive(b.t.Context(), 1, 1)
		require.NoError(t, b.q.e.Close())
		require.ErrorIs(t, (<-b.got).err, engine.ErrClosed)
		ctx, cancel := context.WithCancel(b.t.Context())
		cancel()
		_, err := b.q.Receive(ctx, 1, time.Minute)
		require.ErrorIs(t, err, context.Canceled)
	})
}

// TestClockMoves: if the clock goes back, items are late; if it leaps ahead, they are early. None is lost, and a worker that is too late gets
// ErrStale.
func TestClockMoves(t *testing.T) {
	w := testclock.New()
	q := newQueue(t, w, 0)
	pushAll(t, q, "a", "b")
	first := mustLease(t, q, 1, time.Minute)
	w.Add(-time.Hour)
	require.Empty(t, mustLease(t, q, 5, time.Minute), "b is due at testclock.Noon")
	require.Equal(t, Stats{Later: 1, Leased: 1, Next: testclock.Noon}, utc(mustStats(t, q)))
	w.Add(time.Hour)
	require.Equal(t, "b", ids(mustLease(t, q, 5, 2*time.Minute)))
	w.Add(1000 * time.Hour)
	again := mustLease(t, q, 5, time.Minute)
	require.Equal(t, "a b", ids(again), "in the order in which their leases ran out")
	w.Add(-1000 * time.Hour)
	require.ErrorIs(t, q.Ack(t.Context(), first...), ErrStale)
	require.NoError(t, q.Ack(t.Context(), again...))
	require.Equal(t, Stats{}, mustStats(t, q))
}

func utc(st Stats) Stats {
	st.Next = st.Next.UTC()
	return st
}

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/waitqueue"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
)

// handover is a run of producers that add elements and consumers that pop them.
type handover struct {
	t       *testing.T
	e       *Engine
	keys    []string
	total   int
	made    atomic.Int64
	stop    context.CancelFunc // when all have been delivered
	mu      sync.Mutex
	got     map[string]int // how often each element was delivered
	served  []ticketAt     // calls that had to wait and got something
	expired int            // calls whose ctx ended before they were served
}

// ticketAt is the ticket of a call, which tells its place in the queue, and the commit that served it.
type ticketAt struct{ ticket, seq uint64 }

// produce adds all elements, a few at a time, to one or two sets. Usually it lets at most 5 more be added than are delivered.
func (h *handover) produce(seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for {
		for int(h.made.Load())-h.count() > 5 && rng.IntN(50) > 0 {
			runtime.Gosched()
		}
		n := int64(1 + rng.IntN(3))
		last := h.made.Add(n)
		keys := []string{h.keys[rng.IntN(len(h.keys))], h.keys[rng.IntN(len(h.keys))]}
		err := h.e.Update(context.Background(), func(tx *Tx) error {
			for i := last - n; i < min(last, int64(h.total)); i++ {
				s, err := tx.Set(keys[rng.IntN(2)])
				if err == nil {
					_, err = s.Add(fmt.Append(nil, i), float64(rng.IntN(5)))
				}
				if err != nil {
					return err
				}
			}
			return nil
		}, keys...)
		if err != nil {
			h.t.Error(err)
		}
		if last >= int64(h.total) {
			return
		}
	}
}

// consume pops with waiting until all elements have been delivered; some calls are cancelled at once.
func (h *handover) consume(all context.Context, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 2))
	for all.Err() == nil {
		ctx, cancel := context.WithCancel(all)
		if rng.IntN(4) == 0 {
			go cancel()
		}
		w := &waitqueue.Waiter{N: 1 + rng.IntN(2), Max: rng.IntN(2) == 0}
		for _, i := range rng.Perm(len(h.keys))[:1+rng.IntN(len(h.keys))] {
			w.Keys = append(w.Keys, h.keys[i])
		}
		a, err := h.e.popWait(ctx, w)
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			h.t.Error(err)
			return
		}
		h.note(a, w.Ticket)
	}
}

// grab pops without waiting, from one set after the other, and views all sets.
func (h *handover) grab(all context.Context) {
	for i := 0; all.Err() == nil; i++ {
		if i%20 > 0 {
			_ = h.e.View(all, func(*Tx) error { return nil }, h.keys...)
			continue
		}
		var a waitqueue.Served
		key := h.keys[i/20%len(h.keys)]
		err := h.e.Update(all, func(tx *Tx) error {
			s, err := tx.Set(key)
			if err == nil {
				a.Entries, err = s.PopMax(1)
			}
			return err
		}, key)
		if errors.Is(err, context.Canceled) { // all is delivered; the pop has not happened
			return
		}
		if err != nil {
			h.t.Error(err)
			return
		}
		h.note(a, 0)
	}
}

// note records the elements that a call has returned.
func (h *handover) note(a waitqueue.Served, ticket uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range a.Entries {
		h.got[string(x.Member)]++
	}
	if len(a.Entries) == 0 {
		h.expired++
	} else if ticket > 0 {
		h.served = append(h.served, ticketAt{ticket, a.Seq})
	}
	if len(h.got) == h.total {
		h.stop()
	}
}

// count returns how many elements have been delivered so far.
func (h *handover) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.got)
}

// delivered returns the elements delivered so far.
func (h *handover) delivered() (members []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for m := range h.got {
		members = append(members, m)
	}
	return members
}

// run runs producers and consumers, and checks that each element was delivered once.
func (h *handover) run(producers, consumers int, meanwhile func()) {
	ctx, stop := context.WithCancel(h.t.Context())
	h.stop, h.got = stop, map[string]int{}
	var wg sync.WaitGroup
	for i := range consumers {
		wg.Go(func() { h.consume(ctx, uint64(i)) })
	}
	for i := range producers {
		wg.Go(func() { h.produce(uint64(i)) })
	}
	wg.Go(func() { h.grab(ctx) })
	if meanwhile != nil {
		wg.Go(meanwhile)
	}
	wg.Wait()
	require.Len(h.t, h.got, h.total)
	for m, n := range h.got {
		require.Equal(h.t, 1, n, "%s", m)
	}
	keys, err := h.e.Keys("")
	require.NoError(h.t, err)
	require.Empty(h.t, keys)
	nobody(h.t, h.e)
}

// requireFIFO checks, for one key, that calls that waited were served in the order in which they came.
func (h *handover) requireFIFO() {
	slices.SortFunc(h.served, func(a, b ticketAt) int { return cmp.Compare(a.ticket, b.ticket) })
	for i := 1; i < len(h.served); i++ {
		require.Less(h.t, h.served[i-1].seq, h.served[i].seq, "tickets %d and %d", h.served[i-1].ticket, h.served[i].ticket)
	}
}

// TestPopWaitProperty: producers add elements to one or four sets; consumers wait for them, some give up, and one goroutine pops without waiting. Each
// element is delivered once, and none is left, in all configurations. With one set, calls that waited are served in the order in which they came. An
// element that was delivered before a power cut is not there after it.
func TestPopWaitProperty(t *testing.T) {
	for name, o := range configurations {
		t.Run(name, func(t *testing.T) {
			for _, keys := range [][]string{{"q"}, {"q", "r", "s", "t"}} {
				mem := memfs.NewCrashable()
				e, err := New(o)
				if name != "memory" {
					e, err = Open("db", withFS(o, mem))
				}
				require.NoError(t, err)
				h := &handover{t: t, e: e, keys: keys, total: times(1000)}
				cut := 0
				if name != "memory" && o.Durability == Sync {
					h.run(3, 5, func() { cut = h.cutPower(mem) })
				} else {
					h.run(3, 5, nil)
				}
				if len(keys) == 1 {
					h.requireFIFO()
				}
				t.Logf("%d keys: %d elements delivered once each; %d calls had waited, %d were called off; %d delivered before a power cut stayed away",
					len(keys), h.total, len(h.served), h.expired, cut)
				require.NoError(t, e.Close())
			}
		})
	}
}

func withFS(o Options, fs *memfs.FS) Options {
	o.FS = fs
	return o
}

// cutPower opens the disk after a power cut when half of the elements have been delivered. It returns how many must not be there, and checks that.
func (h *handover) cutPower(mem *memfs.FS) int {
	for h.count() < h.total/2 {
		_ = h.e.View(context.Background(), func(*Tx) error { return nil }, h.keys...)
	}
	before := h.delivered()
	e := mustOpen(h.t, powercut.Clone(mem, 0, 1), Options{})
	mustView(h.t, e, h.keys, func(tx *Tx) {
		for _, key := range h.keys {
			for _, m := range before {
				_, there := named(h.t, tx, key).Score([]byte(m))
				require.False(h.t, there, "%s in %s", m, key)
			}
		}
	})
	require.NoError(h.t, e.Close())
	return len(before)
}

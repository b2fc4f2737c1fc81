package residency

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
)

// Transactions wait for room here, before they lock anything, so that the sets in memory take at most the limit and one transaction's sets:
//
//   - One that loads sets waits until they fit, and reserves their memory. All its sets are pinned from then on, until it has locked them.
//   - One that may change sets waits while the sets take more than the limit.
//
// EvictWhenDue gives room in the order in which they came. A transaction whose sets others have loaded meanwhile does not wait for those before
// it. If nothing more can leave, one transaction goes above the limit: it holds a Pass until it ends. The sets of all others take no more than
// the limit then, besides those that a set operation copies, or that have been in use for ReliefPause. So a transaction whose sets alone exceed
// the limit runs, and those that wait for each other's sets to leave end one by one. If sets cannot leave because the disk does not take them,
// writers do not go above the limit.

// ErrMemoryLimit is returned when there is no room under the memory limit.
var ErrMemoryLimit = errors.New("engine: no room for more under the memory limit")

// Pass is the right of a transaction to go above the limit. The zero value is none.
type Pass struct {
	above bool
	loads bool // the transaction has reserved memory, perhaps above the limit
}

// Room is the queue of the transactions that wait for room.
type Room struct {
	keys     *keyspace.Keyspace
	accounts *keyspace.Accounts
	timeout  time.Duration   // how long one waits
	stop     <-chan struct{} // closed when the engine is being closed
	due      chan struct{}   // wakes the goroutine that evicts and grants
	queued   atomic.Int64    // len(waiting)
	Waits    atomic.Uint64   // transactions that have waited

	mu      sync.Mutex
	waiting []*waiter
	above   bool // a transaction holds a Pass
}

// waiter is a transaction that waits for room.
type waiter struct {
	wants   []*keyspace.Set // its sets: others leave first
	needs   []int64         // bytes for each of wants that it loads; nil: it waits until the sets take no more than the limit
	has     int64           // bytes that wants take in memory
	writes  bool
	unsure  bool // refresh could not see one of wants
	granted chan struct{}
	pass    Pass // valid once granted is closed

	evicted uint64    // Accounts.Evicted, and when it was that first, while w was the first in the queue; of EvictWhenDue
	since   time.Time // the same
}

// need returns the bytes that w waits for.
func (w *waiter) need() (sum int64) {
	for _, n := range w.needs {
		sum += n
	}
	return sum
}

// stuck returns for how long no set has left memory while w was the first in the queue.
func (w *waiter) stuck(evicted uint64) time.Duration {
	if now := time.Now(); w.since.IsZero() || w.evicted != evicted {
		w.evicted, w.since = evicted, now
	}
	return time.Since(w.since)
}

// refresh looks again which of its sets w must load. The caller holds Room.mu.
func (w *waiter) refresh() {
	w.has, w.unsure = 0, false
	for i, s := range w.wants {
		if !s.Mu.TryLock() {
			w.unsure = true
			continue
		}
		_, _, size := s.Counted()
		w.has += int64(size)
		if w.needs != nil && !mustLoad(s) {
			w.needs[i] = 0
		} else if w.needs != nil {
			w.needs[i] = max(w.needs[i], int64(s.Size))
		}
		s.Mu.Unlock()
	}
}

// mustLoad reports whether a set is on the disk only, and no transaction has room for it. The caller holds its lock.
func mustLoad(s *keyspace.Set) bool {
	return !s.Gone && s.Cold() && (s.Rare == nil || s.Rare.Loading == nil) && s.Pins.Load() == 0
}

// awaited reports whether a transaction waits.
func (r *Room) awaited() bool { return r.queued.Load() > 0 }

// first returns the transaction that has waited for longest, or nil, the bytes that it waits for, and whether that is unsure.
func (r *Room) first() (w *waiter, need int64, unsure bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 {
		return nil, 0, false
	}
	w = r.waiting[0]
	w.refresh()
	return w, w.need(), w.unsure
}

// leave removes a transaction that no longer waits, and returns false if it has been given room.
func (r *Room) leave(w *waiter) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.Index(r.waiting, w)
	if i < 0 {
		return false
	}
	r.remove(i)
	return true
}

// remove removes waiting transaction i. The caller holds mu.
func (r *Room) remove(i int) {
	r.waiting = slices.Delete(r.waiting, i, i+1)
	r.queued.Add(-1)
}

// wake wakes EvictWhenDue.
func (r *Room) wake() {
	select {
	case r.due <- struct{}{}:
	default:
	}
}

// Admit waits while the sets take more than the limit, for a transaction that may change the sets of these keys. The caller holds no lock, and
// calls Release when the transaction has ended. Errors: ErrMemoryLimit, ErrClosed, the cause of ctx.
func (r *Room) Admit(ctx context.Context, keys []string, p *Pass) error {
	if a := r.accounts; a.Limit == 0 || a.Used.Load() <= a.Limit {
		return nil
	}
	w := &waiter{writes: true}
	for _, key := range keys {
		if s := r.keys.Find(key); s != nil {
			w.wants = append(w.wants, s)
		}
	}
	return r.wait(ctx, w, p)
}

// Release gives a Pass back.
func (r *Room) Release(p *Pass) {
	if !p.above {
		return
	}
	*p = Pass{}
	r.mu.Lock()
	r.above = false
	r.mu.Unlock()
	r.wake()
}

// reserve waits until so many bytes for each of the sets fit, adds them to Accounts.Used until Accounts.Loaded, and pins all sets. It sets the
// bytes of sets that others load to 0. The caller holds no lock. Errors: those of Admit.
func (r *Room) reserve(ctx context.Context, w *waiter, p *Pass) error {
	if p.above && p.loads {
		r.accounts.Used.Add(w.need())
		pin(w.wants, 1)
		return nil
	}
	if !r.tryReserve(w) {
		r.Release(p) // what it does not use may leave first
		if err := r.wait(ctx, w, p); err != nil {
			return err
		}
	}
	p.loads = true
	return nil
}

// pin adds n to the pins of sets.
func pin(sets []*keyspace.Set, n int32) {
	for _, s := range sets {
		s.Pins.Add(n)
	}
}

// tryReserve gives w room if it fits and no transaction waits.
func (r *Room) tryReserve(w *waiter) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w.refresh(); r.accounts.Limit > 0 && (len(r.waiting) > 0 || r.accounts.Used.Load()+w.need() > r.accounts.Limit) {
		return false
	}
	r.take(w)
	return true
}

// take reserves what w needs, and pins its sets. The caller holds mu.
func (r *Room) take(w *waiter) {
	r.accounts.Used.Add(w.need())
	if w.needs != nil {
		pin(w.wants, 1)
	}
}

// wait waits until w has room, and passes on the Pass that it may get.
func (r *Room) wait(ctx context.Context, w *waiter, p *Pass) (err error) {
	w.granted = make(chan struct{})
	r.Waits.Add(1)
	r.mu.Lock()
	r.waiting = append(r.waiting, w)
	r.queued.Add(1)
	r.mu.Unlock()
	r.wake()
	timeout := time.NewTimer(r.timeout)
	defer timeout.Stop()
	select {
	case <-w.granted:
		*p = w.pass
		return nil
	case <-r.stop:
		err = locks.ErrClosed
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-timeout.C:
		err = fmt.Errorf("%w: sets take %d bytes, the limit is %d, and no set could leave in %v", ErrMemoryLimit, r.accounts.Used.Load(), r.accounts.Limit, r.timeout)
	}
	if r.leave(w) {
		r.wake() // for those behind it
		return err
	}
	<-w.granted
	*p = w.pass
	return nil
}

// grant gives room to transactions in the order in which they came, as long as they fit.
func (r *Room) grant() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.waiting) > 0 {
		w := r.waiting[0]
		if w.refresh(); r.accounts.Used.Load()+w.need() > r.accounts.Limit {
			return
		}
		r.give(0)
	}
}

// loaded gives room to transactions that have waited for a set that has just been loaded, and for no other. The caller holds the set's lock.
func (r *Room) loaded(s *keyspace.Set) {
	if !r.awaited() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := 0; i < len(r.waiting); {
		w := r.waiting[i]
		j := slices.Index(w.wants, s)
		if j < 0 || w.needs == nil {
			i++
			continue
		}
		if w.needs[j] = 0; w.need() > 0 || w.writes && r.accounts.Used.Load() > r.accounts.Limit {
			i++
			continue
		}
		r.give(i)
	}
}

// give gives room to waiting transaction i. The caller holds mu.
func (r *Room) give(i int) {
	w := r.waiting[i]
	r.remove(i)
	r.take(w)
	close(w.granted)
}

// grantAbove lets one transaction go above the limit, the first one, or the first one that changes nothing. It returns false if there is none, if
// another one is above the limit already, or if the sets of others take more than the limit, besides so many bytes
// that are being copied.
func (r *Room) grantAbove(readers bool, copied int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.waiting, func(w *waiter) bool { return !readers || !w.writes })
	if i < 0 || r.above {
		return false
	}
	w := r.waiting[i]
	if w.refresh(); r.accounts.Used.Load()-w.has-copied > r.accounts.Limit {
		return false
	}
	r.above = true
	w.pass.above = true
	r.give(i)
	return true
}

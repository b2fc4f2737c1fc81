package residency

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
)

// Transactions wait for room here, before they lock anything, so that the sets in memory take at most the limit:
//
//   - One that loads sets waits until they fit, and reserves their memory.
//   - One that may change sets waits while the sets take more than the limit.
//
// EvictWhenDue gives room in the order in which they came. If nothing more can leave, because the rest is in use, one transaction at a time
// goes above the limit: it holds a Pass until it ends. So a transaction whose sets alone exceed the limit runs, and those that wait for each
// other's sets to leave end one by one. If sets cannot leave because the disk does not take them, writers do not go above the limit.

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

	mu      sync.Mutex
	waiting []*waiter
	above   bool // a transaction holds a Pass
}

// waiter is a transaction that waits for room.
type waiter struct {
	wants   []*keyspace.Set // other sets leave first
	needs   []int64         // bytes for each of wants, if it wants to load them
	need    int64           // the sum; 0: it waits until the sets take no more than the limit
	writes  bool
	unsure  bool // first could not see whether others have loaded one of wants
	tries   int  // times that sets in use could not leave for it; only EvictWhenDue uses it
	granted chan struct{}
	pass    Pass // valid once granted is closed
}

// awaited reports whether a transaction waits.
func (r *Room) awaited() bool {
	return r.first() != nil
}

// first returns the transaction that has waited for longest, or nil. It no longer needs memory for sets that others have loaded meanwhile.
func (r *Room) first() *waiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 {
		return nil
	}
	w := r.waiting[0]
	w.unsure = false
	for i, need := range w.needs {
		switch s := w.wants[i]; {
		case need == 0:
		case !s.Mu.TryLock():
			w.unsure = true
		default:
			if s.Gone || !s.Cold() {
				w.need -= need
				w.needs[i] = 0
			}
			s.Mu.Unlock()
		}
	}
	return w
}

// leave removes a transaction that no longer waits, and returns false if it has been given room.
func (r *Room) leave(w *waiter) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.Index(r.waiting, w)
	if i < 0 {
		return false
	}
	r.waiting = slices.Delete(r.waiting, i, i+1)
	return true
}

// wake wakes EvictWhenDue.
func (r *Room) wake() {
	select {
	case r.due <- struct{}{}:
	default:
	}
}

// Admit waits while the sets take more than the limit, for a transaction that may change the sets of these keys. The caller holds no lock, and
// calls Release when the transaction has ended. Errors: ErrMemoryLimit, ErrClosed.
func (r *Room) Admit(keys []string, p *Pass) error {
	if a := r.accounts; a.Limit == 0 || a.Used.Load() <= a.Limit {
		return nil
	}
	w := &waiter{writes: true}
	for _, key := range keys {
		if s := r.keys.Find(key); s != nil {
			w.wants = append(w.wants, s)
		}
	}
	return r.wait(w, p)
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

// reserve waits until so many bytes for each of the sets fit, and adds them to Accounts.Used until the caller subtracts them again. Meanwhile it
// sets the bytes of sets that others load to 0. The caller holds no lock. Errors: those of Admit.
func (r *Room) reserve(sets []*keyspace.Set, needs []int64, writes bool, p *Pass) error {
	need := int64(0)
	for _, n := range needs {
		need += n
	}
	if p.above && p.loads {
		r.accounts.Used.Add(need)
		return nil
	}
	if !r.tryReserve(need) {
		r.Release(p) // what it does not use may leave first
		if err := r.wait(&waiter{wants: sets, needs: needs, need: need, writes: writes}, p); err != nil {
			return err
		}
	}
	p.loads = true
	return nil
}

// tryReserve adds need bytes to Accounts.Used if they fit and no transaction waits for room.
func (r *Room) tryReserve(need int64) bool {
	a := r.accounts
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.Limit > 0 && (len(r.waiting) > 0 || a.Used.Load()+need > a.Limit) {
		return false
	}
	a.Used.Add(need)
	return true
}

// wait waits until w has room, and passes on the Pass that it may get.
func (r *Room) wait(w *waiter, p *Pass) (err error) {
	w.granted = make(chan struct{})
	r.mu.Lock()
	r.waiting = append(r.waiting, w)
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
	a := r.accounts
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.waiting) > 0 && a.Used.Load()+r.waiting[0].need <= a.Limit {
		r.give(0)
	}
}

// give gives room to waiting transaction i. Under room.mu.
func (r *Room) give(i int) {
	w := r.waiting[i]
	r.waiting = slices.Delete(r.waiting, i, i+1)
	r.accounts.Used.Add(w.need)
	close(w.granted)
}

// grantAbove lets one transaction go above the limit, the first one, or the first one that changes nothing. It returns false if there is none, or
// if another one is above the limit already.
func (r *Room) grantAbove(readers bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.waiting, func(w *waiter) bool { return !readers || !w.writes })
	if i < 0 || r.above {
		return false
	}
	r.above = true
	r.waiting[i].pass.above = true
	r.give(i)
	return true
}

package residency

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

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
type Pass struct{ above bool }

// room is the queue of the transactions that wait for room.
type room struct {
	timeout time.Duration // how long one waits

	mu      sync.Mutex
	waiting []*waiter
	above   bool // a transaction holds a Pass
}

// waiter is a transaction that waits for room.
type waiter struct {
	need    int64 // bytes; 0: it waits until the sets take no more than the limit
	writes  bool
	granted chan struct{}
	pass    Pass // valid once granted is closed
}

// awaited reports whether a transaction waits.
func (r *room) awaited() bool {
	_, waiting := r.first()
	return waiting
}

// first returns what the transaction that has waited for longest needs, and false if none waits.
func (r *room) first() (need int64, waiting bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 {
		return 0, false
	}
	return r.waiting[0].need, true
}

// leave removes a transaction that no longer waits, and returns false if it has been given room.
func (r *room) leave(w *waiter) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.Index(r.waiting, w)
	if i < 0 {
		return false
	}
	r.waiting = slices.Delete(r.waiting, i, i+1)
	return true
}

// Admit waits while the sets take more than the limit, for a transaction that may change sets. The caller holds no lock, and calls Release
// when the transaction has ended. Errors: ErrMemoryLimit, ErrClosed.
func (m *Manager) Admit(p *Pass) error {
	if a := m.accounts; a.Limit == 0 || a.Used.Load() <= a.Limit {
		return nil
	}
	return m.wait(&waiter{writes: true}, p)
}

// Release gives a Pass back.
func (m *Manager) Release(p *Pass) {
	if !p.above {
		return
	}
	p.above = false
	m.room.mu.Lock()
	m.room.above = false
	m.room.mu.Unlock()
	m.wake()
}

// reserve waits until need more bytes fit, and adds them to Accounts.Used until the caller subtracts them again. The caller holds no lock.
// Errors: those of Admit.
func (m *Manager) reserve(need int64, writes bool, p *Pass) error {
	switch {
	case m.accounts.Limit == 0 || p.above:
		m.accounts.Used.Add(need)
	case !m.tryReserve(need):
		return m.wait(&waiter{need: need, writes: writes}, p)
	}
	m.EvictIfDue()
	return nil
}

// tryReserve adds need bytes to Accounts.Used if they fit and no transaction waits for room.
func (m *Manager) tryReserve(need int64) bool {
	a, r := m.accounts, &m.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.Limit > 0 && (len(r.waiting) > 0 || a.Used.Load()+need > a.Limit) {
		return false
	}
	a.Used.Add(need)
	return true
}

// wait waits until w has room, and passes on the Pass that it may get.
func (m *Manager) wait(w *waiter, p *Pass) (err error) {
	w.granted = make(chan struct{})
	m.room.mu.Lock()
	m.room.waiting = append(m.room.waiting, w)
	m.room.mu.Unlock()
	m.wake()
	timeout := time.NewTimer(m.room.timeout)
	defer timeout.Stop()
	select {
	case <-w.granted:
		*p = w.pass
		return nil
	case <-m.life.Stop:
		err = locks.ErrClosed
	case <-timeout.C:
		err = fmt.Errorf("%w: sets take %d bytes, the limit is %d, and no set could leave in %v", ErrMemoryLimit, m.accounts.Used.Load(), m.accounts.Limit, m.room.timeout)
	}
	if m.room.leave(w) {
		m.wake() // for those behind it
		return err
	}
	<-w.granted
	*p = w.pass
	return nil
}

// grant gives room to transactions in the order in which they came, as long as they fit.
func (m *Manager) grant() {
	a, r := m.accounts, &m.room
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.waiting) > 0 && a.Used.Load()+r.waiting[0].need <= a.Limit {
		m.give(0)
	}
}

// give gives room to waiting transaction i. Under room.mu.
func (m *Manager) give(i int) {
	w := m.room.waiting[i]
	m.room.waiting = slices.Delete(m.room.waiting, i, i+1)
	m.accounts.Used.Add(w.need)
	close(w.granted)
}

// grantAbove lets one transaction go above the limit, the first one, or the first one that changes nothing. It returns false if there is none, or
// if another one is above the limit already.
func (m *Manager) grantAbove(readers bool) bool {
	r := &m.room
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.waiting, func(w *waiter) bool { return !readers || !w.writes })
	if i < 0 || r.above {
		return false
	}
	r.above = true
	r.waiting[i].pass.above = true
	m.give(i)
	return true
}

package engine

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/persist"
)

// With Options.MemoryLimit, sets that have not been touched for longest leave memory, as far as the disk has them: those
// changed since the last snapshot stay until the next, which is taken early if they are in the way. Reading a set costs no
// lock of the engine's for this: it notes when it was touched, in counts of loads.
//
//   - before a set is read from the disk, its reader makes room for it;
//   - when sets have grown to 15/16 of the limit, a goroutine makes them less than 7/8;
//   - a set that a transaction waits for, or has locked, stays: it has a pin, or its lock cannot be had.
//
// So the sum of all sets stays below the limit, but for the sets in use by transactions at the moment, and for changes that
// come faster than snapshots can write them.

// residency says which sets are in memory: it reads those that are wanted, and lets those go that have not been wanted for longest.
type residency struct {
	keys        *keyspace
	accounts    *accounts
	locks       *locks
	events      *events
	life        *lifetime
	checkpoints *checkpoints
	store       *persist.Store
	slow        time.Duration // reading that takes so long is told of; below 0: none is
	loads       atomic.Uint64 // sets that were read
	due         chan struct{} // wakes the goroutine that makes sets leave
	pressure    *pressure

	sweeping sync.Mutex // one looks for what can go at a time
	relief   sync.Mutex // one takes a snapshot so that more can go at a time
	hopeless time.Time  // until then none is taken: the last did not help. Guarded by relief
}

func newResidency(keys *keyspace, l *locks, v *events, life *lifetime, c *checkpoints, p *pressure, store *persist.Store, slow time.Duration) *residency {
	return &residency{keys: keys, accounts: keys.accounts, locks: l, events: v, life: life, checkpoints: c, pressure: p, store: store, slow: slow, due: make(chan struct{}, 1)}
}

const reliefPause = time.Second

// guess returns about what memory a set takes.
func guess(r persist.SetRecord) int {
	if r.Pages <= 1 {
		return r.Entries * 48
	}
	return r.Pages<<16 + r.Entries*15
}

// evictIfDue wakes the goroutine that makes sets leave memory when there is little left.
func (m *residency) evictIfDue() {
	m.pressure.relieved()
	if a := m.accounts; a.limit > 0 && m.accounts.used.Load() > m.accounts.limit-m.accounts.limit/16 {
		select {
		case m.due <- struct{}{}:
		default:
		}
	}
}

// evictWhenDue makes sets leave memory each time there is little left, until Close. As long as they take more than the limit, because
// all are in use, it tries again: nobody may come any more who would wake it.
func (m *residency) evictWhenDue() {
	defer m.life.stopped.Done()
	var again <-chan time.Time
	for {
		select {
		case <-m.life.stop:
			return
		case <-m.due:
		case <-again:
		}
		if changed := m.sweep(); changed > m.accounts.limit/4 || m.accounts.used.Load() > m.accounts.limit {
			m.relieve()
		}
		again = nil
		if m.accounts.used.Load() > m.accounts.limit {
			again = time.After(reliefPause)
		}
	}
}

// makeRoom makes sets leave memory if there is more than the limit. The caller holds no lock.
func (m *residency) makeRoom() {
	if m.accounts.limit == 0 || m.accounts.used.Load() <= m.accounts.limit {
		return
	}
	if changed := m.sweep(); changed > 0 && m.accounts.used.Load() > m.accounts.limit {
		m.relieve()
	}
}

// relieve takes a snapshot, so that sets that have changed can leave memory too. After one that let no set go, none is taken
// for a while: then the sets in use are more than the limit.
func (m *residency) relieve() {
	m.relief.Lock()
	defer m.relief.Unlock()
	if m.accounts.used.Load() <= m.accounts.limit-m.accounts.limit/8 || time.Now().Before(m.hopeless) {
		return
	}
	before, err := m.accounts.evicted.Load(), m.checkpoints.snapshot()
	if m.sweep(); err != nil || m.accounts.used.Load() > m.accounts.limit && m.accounts.evicted.Load() == before {
		m.hopeless = time.Now().Add(reliefPause)
	}
	if used := m.accounts.used.Load(); used > m.accounts.limit {
		m.pressure.pressed(used)
	}
}

// sweep makes the sets that have not been touched for longest leave memory until an eighth of the limit is free. It returns
// the bytes of sets that had to stay because they have changed since the last snapshot. O(sets in memory log sets in memory),
// for as many as fit in an eighth.
func (m *residency) sweep() (changed int64) {
	goal := m.accounts.limit - m.accounts.limit/8
	m.sweeping.Lock()
	defer m.sweeping.Unlock()
	if m.accounts.used.Load() <= goal {
		return 0
	}
	for _, c := range m.accounts.candidates() {
		if m.accounts.used.Load() <= goal {
			break
		}
		changed += int64(m.evict(c.s))
	}
	return changed
}

// evict makes a set leave memory unless it is in use or has changed. It returns its bytes if it has changed.
func (m *residency) evict(s *set) (changed int) {
	if !s.mu.TryLock() {
		return 0
	}
	defer s.mu.Unlock()
	switch {
	case s.gone || !s.exists || s.z == nil || s.pins.Load() > 0:
		return 0
	case !m.accounts.leave(s):
		return s.tally.size
	}
	return 0
}

package residency

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/internal/checkpoint"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/lifetime"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/observe"
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

// Manager says which sets are in memory: it reads those that are wanted, and lets those go that have not been wanted for longest.
type Manager struct {
	keys        *keyspace.Keyspace
	accounts    *keyspace.Accounts
	locks       *locks.Table
	events      *observe.Dispatcher
	life        *lifetime.Lifetime
	checkpoints *checkpoint.Manager
	store       *persist.Store
	slow        time.Duration // a read that takes this long is reported; below 0: none is
	Loads       atomic.Uint64 // sets that were read
	due         chan struct{} // wakes the goroutine that makes sets leave
	pressure    *Pressure

	Sweeping sync.Mutex // one looks for what can go at a time
	Relief   sync.Mutex // one takes a snapshot so that more can go at a time
	Hopeless time.Time  // until then none is taken: the last did not help. Guarded by relief
}

// New returns a Manager of the sets of a keyspace. slow is Options.SlowCall.
func New(keys *keyspace.Keyspace, l *locks.Table, v *observe.Dispatcher, life *lifetime.Lifetime, c *checkpoint.Manager, p *Pressure, store *persist.Store, slow time.Duration) *Manager {
	return &Manager{keys: keys, accounts: keys.Accounts, locks: l, events: v, life: life, checkpoints: c, pressure: p, store: store, slow: slow, due: make(chan struct{}, 1)}
}

// ReliefPause is the time between two tries to get below the limit.
const ReliefPause = time.Second

// guess returns about what memory a set takes.
func guess(r persist.SetRecord) int {
	if r.Pages <= 1 {
		return r.Entries * 48
	}
	return r.Pages<<16 + r.Entries*15
}

// EvictIfDue wakes the goroutine that makes sets leave memory when there is little left.
func (m *Manager) EvictIfDue() {
	m.pressure.Relieved()
	if a := m.accounts; a.Limit > 0 && m.accounts.Used.Load() > m.accounts.Limit-m.accounts.Limit/16 {
		select {
		case m.due <- struct{}{}:
		default:
		}
	}
}

// EvictWhenDue makes sets leave memory each time there is little left, until Close. As long as they take more than the limit, because
// all are in use, it tries again after ReliefPause: there may be no further commit to wake it.
func (m *Manager) EvictWhenDue() {
	defer m.life.Stopped.Done()
	var again <-chan time.Time
	for {
		select {
		case <-m.life.Stop:
			return
		case <-m.due:
		case <-again:
		}
		if changed := m.Sweep(); changed > m.accounts.Limit/4 || m.accounts.Used.Load() > m.accounts.Limit {
			m.relieve()
		}
		again = nil
		if m.accounts.Used.Load() > m.accounts.Limit {
			again = time.After(ReliefPause)
		}
	}
}

// makeRoom makes sets leave memory if there is more than the limit. The caller holds no lock.
func (m *Manager) makeRoom() {
	if m.accounts.Limit == 0 || m.accounts.Used.Load() <= m.accounts.Limit {
		return
	}
	if changed := m.Sweep(); changed > 0 && m.accounts.Used.Load() > m.accounts.Limit {
		m.relieve()
	}
}

// relieve takes a snapshot, so that sets that have changed can leave memory too. After one that let no set go, none is taken
// for a while: then the sets in use are more than the limit.
func (m *Manager) relieve() {
	m.Relief.Lock()
	defer m.Relief.Unlock()
	if m.accounts.Used.Load() <= m.accounts.Limit-m.accounts.Limit/8 || time.Now().Before(m.Hopeless) {
		return
	}
	before, err := m.accounts.Evicted.Load(), m.checkpoints.Snapshot()
	if m.Sweep(); err != nil || m.accounts.Used.Load() > m.accounts.Limit && m.accounts.Evicted.Load() == before {
		m.Hopeless = time.Now().Add(ReliefPause)
	}
	if used := m.accounts.Used.Load(); used > m.accounts.Limit {
		m.pressure.Pressed(used)
	}
}

// Sweep makes the sets that have not been touched for longest leave memory until an eighth of the limit is free. It returns
// the bytes of sets that had to stay because they have changed since the last snapshot. O(sets in memory log sets in memory),
// for as many as fit in an eighth.
func (m *Manager) Sweep() (changed int64) {
	goal := m.accounts.Limit - m.accounts.Limit/8
	m.Sweeping.Lock()
	defer m.Sweeping.Unlock()
	if m.accounts.Used.Load() <= goal {
		return 0
	}
	for _, c := range m.accounts.Candidates() {
		if m.accounts.Used.Load() <= goal {
			break
		}
		changed += int64(m.evict(c.S))
	}
	return changed
}

// evict makes a set leave memory unless it is in use or has changed. It returns its bytes if it has changed.
func (m *Manager) evict(s *keyspace.Set) (changed int) {
	if !s.Mu.TryLock() {
		return 0
	}
	defer s.Mu.Unlock()
	switch {
	case s.Gone || !s.Exists || s.Entries == nil || s.Pins.Load() > 0:
		return 0
	case !m.accounts.Leave(s):
		return s.Tally.Size
	}
	return 0
}

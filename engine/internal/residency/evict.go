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

// With Options.MemoryLimit, the least recently used sets leave memory. A set that has changed since the last snapshot stays until the next
// one, which is taken early if such sets are in the way. To use a set takes no engine-wide lock for this: the set stores the time of its
// last use, by a clock that counts loads.
//
//   - Before a set is read from the disk, its reader makes room for it.
//   - When sets have grown to 15/16 of the limit, a goroutine evicts sets until the rest takes less than 7/8.
//   - A set that a transaction waits for, or has locked, stays: it is pinned, or its lock is not free.
//
// So the sum of all sets stays below the limit, except for sets that transactions use at the moment, and for changes that come faster than
// snapshots can write them.

// Manager loads sets that are wanted, and evicts the least recently used ones.
type Manager struct {
	keys        *keyspace.Keyspace
	accounts    *keyspace.Accounts
	locks       *locks.Table
	events      *observe.Dispatcher
	life        *lifetime.Lifetime
	checkpoints *checkpoint.Manager
	store       *persist.Store
	slow        time.Duration // a load that takes this long is reported; below 0: none is
	Loads       atomic.Uint64 // sets that were read
	due         chan struct{} // wakes EvictWhenDue
	pressure    *Pressure

	Sweeping sync.Mutex // held by the one goroutine that sweeps
	Relief   sync.Mutex // held by the one goroutine that takes a snapshot so that more sets can leave
	Hopeless time.Time  // until then relieve takes no snapshot, because the last one did not help. Guarded by Relief
}

// New returns a Manager of the sets of a keyspace. slow is Options.SlowCall.
func New(keys *keyspace.Keyspace, l *locks.Table, v *observe.Dispatcher, life *lifetime.Lifetime, c *checkpoint.Manager, p *Pressure, store *persist.Store, slow time.Duration) *Manager {
	return &Manager{keys: keys, accounts: keys.Accounts, locks: l, events: v, life: life, checkpoints: c, pressure: p, store: store, slow: slow, due: make(chan struct{}, 1)}
}

// ReliefPause is the time between two tries to get below the limit.
const ReliefPause = time.Second

// guess estimates the memory that a set takes, in bytes.
func guess(r persist.SetRecord) int {
	if r.Pages <= 1 {
		return r.Entries * 48
	}
	return r.Pages<<16 + r.Entries*15
}

// EvictIfDue wakes EvictWhenDue if less than 1/16 of the limit is free.
func (m *Manager) EvictIfDue() {
	m.pressure.Relieved()
	if a := m.accounts; a.Limit > 0 && m.accounts.Used.Load() > m.accounts.Limit-m.accounts.Limit/16 {
		select {
		case m.due <- struct{}{}:
		default:
		}
	}
}

// EvictWhenDue evicts sets each time EvictIfDue wakes it, until Close. While sets take more than the limit because all are in use, it tries
// again after ReliefPause: there may be no further commit to wake it.
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

// makeRoom evicts sets if they take more than the limit. The caller holds no lock.
func (m *Manager) makeRoom() {
	if m.accounts.Limit == 0 || m.accounts.Used.Load() <= m.accounts.Limit {
		return
	}
	if changed := m.Sweep(); changed > 0 && m.accounts.Used.Load() > m.accounts.Limit {
		m.relieve()
	}
}

// relieve takes a snapshot, so that sets that have changed can leave memory too. If no set leaves after it, the sets in use alone take more
// than the limit, and relieve takes no further snapshot for ReliefPause.
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

// Sweep evicts the least recently used sets until an eighth of the limit is free. It returns the bytes of the sets that it met and that
// stay because they have changed since the last snapshot. O(n log n) for n sets in memory; that frees as many sets as fit in an eighth.
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

// evict makes a set leave memory unless it is in use or has changed. It returns the set's bytes if it has changed, and 0 otherwise.
func (m *Manager) evict(s *keyspace.Set) (changed int) {
	if !s.Mu.TryLock() {
		return 0
	}
	defer s.Mu.Unlock()
	switch {
	case s.Gone || !s.Exists || s.Entries == nil || s.Pins.Load() > 0:
		return 0
	case !m.accounts.Leave(s):
		return s.Size
	}
	return 0
}

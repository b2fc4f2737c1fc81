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

// With Options.MemoryLimit, the least recently used sets leave memory. A set that has changed since it was last written is written out first.
// To use a set takes no engine-wide lock for this: the set stores the time of its last use, by a clock that counts loads.
//
//   - When sets have grown to 15/16 of the limit, a goroutine evicts sets until the rest takes less than 7/8.
//   - A transaction that loads sets, and one that may change sets while they take more than the limit, waits for room: see room.go.
//   - A set that a transaction waits for, or has locked, stays: it is pinned, or its lock is not free.
//   - A set that changes while it is written out stays. While transactions wait for room, no set changes.

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
	room        room

	Sweeping sync.Mutex // held by the one goroutine that sweeps
}

// New returns a Manager of the sets of a keyspace. slow and timeout are Options.SlowCall and Options.StallTimeout.
func New(keys *keyspace.Keyspace, l *locks.Table, v *observe.Dispatcher, life *lifetime.Lifetime, c *checkpoint.Manager, p *Pressure, store *persist.Store, slow, timeout time.Duration) *Manager {
	return &Manager{keys: keys, accounts: keys.Accounts, locks: l, events: v, life: life, checkpoints: c, pressure: p, store: store, slow: slow,
		due: make(chan struct{}, 1), room: room{timeout: timeout}}
}

// ReliefPause is the time between two tries to get below the limit, if sets cannot leave because all are in use, or the disk does not take them.
const ReliefPause = time.Second

const (
	batchBytes = 1 << 20 // of sets that are written out together
	batchSets  = 128
)

// guess estimates the memory that a set takes, in bytes.
func guess(r persist.SetRecord) int64 {
	if r.Pages <= 1 {
		return int64(r.Entries) * 48
	}
	return int64(r.Pages)<<16 + int64(r.Entries)*15
}

// EvictIfDue wakes EvictWhenDue if less than 1/16 of the limit is free.
func (m *Manager) EvictIfDue() {
	m.pressure.Relieved()
	if a := m.accounts; a.Limit > 0 && a.Used.Load() > a.Limit-a.Limit/16 {
		m.wake()
	}
}

// wake wakes EvictWhenDue.
func (m *Manager) wake() {
	select {
	case m.due <- struct{}{}:
	default:
	}
}

// EvictWhenDue evicts sets each time it is woken, until Close, and gives room to the transactions that wait for it. If sets could not leave, it
// tries again after ReliefPause: there may be no further commit to wake it.
func (m *Manager) EvictWhenDue() {
	defer m.life.Stopped.Done()
	var again <-chan time.Time
	var pause time.Time // until then it does nothing for commits alone
	for {
		select {
		case <-m.life.Stop:
			return
		case <-m.due:
			if again != nil && !m.room.awaited() && m.accounts.Used.Load() <= m.accounts.Limit && time.Now().Before(pause) {
				continue
			}
		case <-again:
		}
		again = nil
		if !m.relieve() {
			pause, again = time.Now().Add(ReliefPause), time.After(ReliefPause)
		}
	}
}

// relieve evicts sets until an eighth of the limit is free, and no transaction waits for room. It returns false if it has to give up before.
func (m *Manager) relieve() bool {
	for {
		m.grant()
		need, waiting := m.room.first()
		goal := max(0, m.accounts.Limit-m.accounts.Limit/8-need)
		used, before := m.accounts.Used.Load(), m.accounts.Evicted.Load()
		if !waiting && used <= goal {
			return true
		}
		err := m.sweep(goal, need == 0)
		if m.grant(); m.accounts.Evicted.Load() > before {
			continue
		}
		if used = m.accounts.Used.Load(); used > m.accounts.Limit {
			m.pressure.Pressed(used)
		}
		if !m.grantAbove(err != nil) {
			return !m.room.awaited() && used <= goal
		}
	}
}

// Sweep evicts the least recently used sets until an eighth of the limit is free.
func (m *Manager) Sweep() { _ = m.sweep(m.accounts.Limit-m.accounts.Limit/8, false) }

// sweep evicts the least recently used sets until the rest takes goal bytes at most. With keepLast, the one used last stays. The error is that
// of a write-out. O(n log n) for n sets in memory, and the bytes of those that have changed.
func (m *Manager) sweep(goal int64, keepLast bool) error {
	m.Sweeping.Lock()
	defer m.Sweeping.Unlock()
	if m.accounts.Used.Load() <= goal {
		return nil
	}
	all := m.accounts.Candidates()
	if keepLast && len(all) > 0 {
		all = all[:len(all)-1]
	}
	var changed []*keyspace.Set
	bytes := int64(0) // of changed
	for _, c := range all {
		if m.accounts.Used.Load()-bytes <= goal {
			break
		}
		n := m.evict(c.S)
		if n == 0 {
			continue
		}
		changed, bytes = append(changed, c.S), bytes+int64(n)
		if bytes >= batchBytes || len(changed) >= batchSets {
			if err := m.writeOut(changed); err != nil {
				return err
			}
			changed, bytes = changed[:0], 0
		}
	}
	return m.writeOut(changed)
}

// writeOut writes out sets and evicts those that no commit has changed meanwhile.
func (m *Manager) writeOut(sets []*keyspace.Set) error {
	if len(sets) == 0 {
		return nil
	}
	if err := m.checkpoints.WriteOut(sets); err != nil {
		return err
	}
	for _, s := range sets {
		m.evict(s)
	}
	m.grant()
	return nil
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

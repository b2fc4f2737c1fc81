package residency

import (
	"slices"
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
	pressure    *Pressure
	Room        *Room

	Sweeping sync.Mutex // held by the one goroutine that sweeps
}

// New returns a Manager of the sets of a keyspace. slow and timeout are Options.SlowCall and Options.StallTimeout.
func New(keys *keyspace.Keyspace, l *locks.Table, v *observe.Dispatcher, life *lifetime.Lifetime, c *checkpoint.Manager, p *Pressure, store *persist.Store, slow, timeout time.Duration) *Manager {
	return &Manager{keys: keys, accounts: keys.Accounts, locks: l, events: v, life: life, checkpoints: c, pressure: p, store: store, slow: slow,
		Room: &Room{keys: keys, accounts: keys.Accounts, timeout: timeout, stop: life.Stop, due: make(chan struct{}, 1)}}
}

// ReliefPause is the time between two tries to get below the limit, if sets cannot leave because all are in use, or the disk does not take them.
const ReliefPause = time.Second

// A transaction that needs room for which sets in use would have to leave waits for busyPause, so many times, before it goes above the limit.
const (
	busyPause      = time.Millisecond
	busyTries      = 10
	busyTriesAbove = 100 // while the sets take more than the limit
)

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
		m.Room.wake()
	}
}

// EvictWhenDue evicts sets each time it is woken, until Close, and gives room to the transactions that wait for it. If sets could not leave, it
// tries again after a pause: there may be no further commit to wake it.
func (m *Manager) EvictWhenDue() {
	defer m.life.Stopped.Done()
	var again <-chan time.Time
	var idle time.Time // until then it does nothing for commits alone
	for {
		select {
		case <-m.life.Stop:
			return
		case <-m.Room.due:
			if !m.Room.awaited() && m.accounts.Used.Load() <= m.accounts.Limit && time.Now().Before(idle) {
				continue
			}
		case <-again:
		}
		again = nil
		if pause := m.relieve(); pause > 0 {
			again, idle = time.After(pause), time.Now().Add(pause)
		}
	}
}

// relieve evicts sets until an eighth of the limit is free, and no transaction waits for room. If it has to give up before, it returns the time
// after which it should try again.
func (m *Manager) relieve() (pause time.Duration) {
	goal := m.accounts.Limit - m.accounts.Limit/8
	for {
		m.Room.grant()
		w := m.Room.first()
		if w == nil && m.accounts.Used.Load() <= goal {
			return 0
		}
		before := m.accounts.Evicted.Load()
		busy, err := m.sweepFor(w, goal)
		if m.Room.grant(); m.accounts.Evicted.Load() > before || w != m.Room.first() {
			continue
		}
		used, tries := m.accounts.Used.Load(), busyTries
		if used > m.accounts.Limit {
			m.pressure.Pressed(used)
			tries = busyTriesAbove
		}
		if w != nil && (busy || w.unsure) && w.tries < tries {
			w.tries++
			return busyPause
		}
		if !m.Room.grantAbove(err != nil) {
			return ReliefPause
		}
	}
}

// Sweep evicts the least recently used sets until an eighth of the limit is free.
func (m *Manager) Sweep() {
	_, _ = m.sweep(m.accounts.Limit-m.accounts.Limit/8, m.accounts.Candidates(), nil)
}

// sweepFor evicts sets for a transaction that waits, so that an eighth of the limit is free once it has what it needs. Without one, the set that
// was used last stays, even if it alone takes more than the limit.
func (m *Manager) sweepFor(w *waiter, goal int64) (busy bool, err error) {
	all := m.accounts.Candidates()
	if w != nil {
		return m.sweep(max(0, goal-w.need), all, w.wants)
	}
	return m.sweep(goal, all[:max(0, len(all)-1)], nil)
}

// sweep evicts candidates until all sets take goal bytes at most. Those in keep stay. It reports whether a set stays because transactions use
// it. The error is that of a write-out. O(n) for n sets in memory, and the bytes of those that have changed.
func (m *Manager) sweep(goal int64, candidates []keyspace.Candidate, keep []*keyspace.Set) (busy bool, err error) {
	m.Sweeping.Lock()
	defer m.Sweeping.Unlock()
	var changed []*keyspace.Set
	bytes := int64(0) // of changed
	for _, c := range candidates {
		if m.accounts.Used.Load()-bytes <= goal {
			break
		}
		if slices.Contains(keep, c.S) {
			continue
		}
		switch n, used := m.evict(c.S); {
		case used:
			busy = true
			continue
		case n == 0:
			continue
		default:
			changed, bytes = append(changed, c.S), bytes+int64(n)
		}
		if bytes >= batchBytes || len(changed) >= batchSets {
			stay, err := m.writeOut(changed)
			if busy = busy || stay; err != nil {
				return busy, err
			}
			changed, bytes = changed[:0], 0
		}
	}
	stay, err := m.writeOut(changed)
	return busy || stay, err
}

// writeOut writes out sets and evicts those that no transaction has changed, or uses, meanwhile. It reports whether one stays.
func (m *Manager) writeOut(sets []*keyspace.Set) (stay bool, err error) {
	if len(sets) == 0 {
		return false, nil
	}
	if err := m.checkpoints.WriteOut(sets); err != nil {
		return false, err
	}
	for _, s := range sets {
		changed, used := m.evict(s)
		stay = stay || changed > 0 || used
	}
	m.Room.grant()
	return stay, nil
}

// evict makes a set leave memory unless a transaction uses it or it has changed. If it has changed, evict returns its bytes.
func (m *Manager) evict(s *keyspace.Set) (changed int, used bool) {
	if !s.Mu.TryLock() {
		return 0, true
	}
	defer s.Mu.Unlock()
	switch {
	case s.Gone || !s.Exists || s.Entries == nil:
		return 0, false
	case s.Pins.Load() > 0:
		return 0, true
	case !m.accounts.Leave(s):
		return s.Size, false
	}
	return 0, false
}

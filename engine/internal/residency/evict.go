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
//   - A set that a transaction is about to lock, or has locked, stays: it is pinned, or its lock is not free.
//   - A set that changes while it is written out stays. While sets take more than the limit, no further transaction changes any.

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
	WrittenOut  atomic.Uint64 // sets that were written between two snapshots
	pressure    *Pressure
	Room        *Room

	Sweeping sync.Mutex // held by the one goroutine that evicts
	writing  writing
}

// New returns a Manager of the sets of a keyspace. slow and timeout are Options.SlowCall and Options.StallTimeout.
func New(keys *keyspace.Keyspace, l *locks.Table, v *observe.Dispatcher, life *lifetime.Lifetime, c *checkpoint.Manager, p *Pressure, store *persist.Store, slow, timeout time.Duration) *Manager {
	return &Manager{keys: keys, accounts: keys.Accounts, locks: l, events: v, life: life, checkpoints: c, pressure: p, store: store, slow: slow,
		Room: &Room{keys: keys, accounts: keys.Accounts, timeout: timeout, stop: life.Stop, due: make(chan struct{}, 1)}}
}

// The transaction that has waited for longest goes above the limit once no set has left memory for patience, because all are in use. Until then
// eviction tries again after pauses between minPause and maxPause.
const (
	patience      = 10 * time.Millisecond
	patienceAbove = 100 * time.Millisecond // while the sets take more than the limit, besides those that are being copied
	minPause      = time.Millisecond
	maxPause      = 32 * time.Millisecond
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
		w, need, _ := m.Room.first()
		if w == nil && m.accounts.Used.Load() <= goal {
			return 0
		}
		before := m.accounts.Evicted.Load()
		kept := m.sweepFor(w, need, goal)
		m.Room.grant()
		now, _, unsure := m.Room.first()
		if m.accounts.Evicted.Load() > before || w != now {
			continue
		}
		used, enough := m.accounts.Used.Load(), patience
		if used > m.accounts.Limit {
			m.pressure.Pressed(used)
		}
		if used-kept.copied > m.accounts.Limit {
			enough = patienceAbove
		}
		if w == nil {
			return ReliefPause
		}
		stuck := w.stuck(m.accounts.Evicted.Load())
		busy := kept.busy || unsure
		if stuck >= ReliefPause {
			kept.copied = used // transactions that take so long may count on top too
		}
		if (!busy || stuck >= enough) && m.Room.grantAbove(m.writing.fails(), kept.copied) {
			continue
		}
		if !busy {
			return ReliefPause
		}
		return min(max(stuck/4, minPause), maxPause)
	}
}

// Sweep evicts the least recently used sets until an eighth of the limit is free.
func (m *Manager) Sweep() {
	m.sweep(m.accounts.Limit-m.accounts.Limit/8, m.accounts.Candidates(), nil)
	m.writing.wait()
}

// Pause waits until no set is evicted or written out. Nothing is until the caller unlocks Sweeping.
func (m *Manager) Pause() {
	for m.Sweeping.Lock(); m.writing.running(); m.Sweeping.Lock() {
		m.Sweeping.Unlock()
		m.writing.wait()
	}
}

// kept says which sets had to stay.
type kept struct {
	busy   bool  // some, for now: a transaction uses them, or they are written out
	copied int64 // bytes of those that are being copied, which may take long
}

// sweepFor evicts sets for a transaction that waits for need bytes, so that an eighth of the limit is free once it has them. Without one, the
// set that was used last stays, even if it alone takes more than the limit.
func (m *Manager) sweepFor(w *waiter, need, goal int64) kept {
	all := m.accounts.Candidates()
	if w != nil {
		return m.sweep(max(0, goal-need), all, w.wants)
	}
	return m.sweep(goal, all[:max(0, len(all)-1)], nil)
}

// sweep evicts candidates until all sets take goal bytes at most once those have left that are written out. Those in keep stay.
// O(n) for n sets in memory.
func (m *Manager) sweep(goal int64, candidates []keyspace.Candidate, keep []*keyspace.Set) (k kept) {
	m.Sweeping.Lock()
	defer m.Sweeping.Unlock()
	var changed []changedSet
	bytes := int64(0) // of changed
	soon, more := m.writing.soon()
	for _, c := range candidates {
		if m.accounts.Used.Load()-soon-bytes <= goal {
			break
		}
		if slices.Contains(keep, c.S) {
			continue
		}
		n, used, copied := m.evict(c.S)
		k.busy, k.copied = k.busy || used, k.copied+int64(copied)
		if n > 0 && more {
			changed, bytes = append(changed, changedSet{c.S, int64(n)}), bytes+int64(n)
		}
	}
	if len(changed) > 0 {
		m.writeOut(changed, bytes)
	}
	k.busy = k.busy || soon+bytes > 0
	return k
}

// changedSet is a set that must be written before it can leave memory.
type changedSet struct {
	s     *keyspace.Set
	bytes int64
}

// writeOut begins to write out sets, of so many bytes together. Each leaves unless a transaction has changed it meanwhile, or uses it.
func (m *Manager) writeOut(sets []changedSet, bytes int64) {
	m.writing.begin(bytes)
	m.life.Stopped.Go(func() {
		all := make([]*keyspace.Set, len(sets))
		for i, c := range sets {
			all[i] = c.s
		}
		m.writing.end(m.checkpoints.WriteOut(all, func(n, written int) {
			m.WrittenOut.Add(uint64(written))
			m.leave(sets[:n])
			sets = sets[n:]
		}))
		m.Room.wake()
	})
}

// leave lets sets leave that have been written out.
func (m *Manager) leave(sets []changedSet) {
	bytes := int64(0)
	m.Sweeping.Lock()
	for _, c := range sets {
		m.evict(c.s)
		bytes += c.bytes
	}
	m.Sweeping.Unlock()
	m.writing.left(bytes)
	m.Room.wake()
}

// evict makes a set leave memory unless a transaction uses it or it has changed. It returns the bytes of one that has changed, whether a
// transaction uses it, and its bytes if it is being copied. The caller holds Sweeping.
func (m *Manager) evict(s *keyspace.Set) (changed int, used bool, copied int) {
	if !s.Mu.TryLock() {
		return 0, true, 0
	}
	defer s.Mu.Unlock()
	switch {
	case s.Gone || !s.Exists || s.Entries == nil:
		return 0, false, 0
	case s.Tracked():
		return 0, false, s.Size
	case s.Pins.Load() > 0:
		return 0, true, 0
	case !m.accounts.Leave(s):
		return s.Size, false, 0
	}
	return 0, false, 0
}

package engine

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"
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

// memory is what is known of the memory of sets.
type memory struct {
	limit   int64         // 0: none
	used    atomic.Int64  // bytes of all sets, and what those are expected to take that are being read
	now     atomic.Uint32 // rises with each set that comes into memory
	loads   atomic.Uint64
	evicted atomic.Uint64
	due     chan struct{}

	mu       sync.Mutex
	resident map[*set]struct{} // those that count for something

	sweeping sync.Mutex // one looks for what can go at a time
	relief   sync.Mutex // one takes a snapshot so that more can go at a time
	hopeless time.Time  // until then none is taken: the last did not help. Guarded by relief
}

const reliefPause = time.Second

// guess returns about what memory a set takes.
func guess(r setOnDisk) int {
	if r.Pages <= 1 {
		return r.Entries * 48
	}
	return r.Pages<<16 + r.Entries*15
}

// reside notes whether a set counts for something. The caller holds its lock for writing.
func (m *memory) reside(s *set, resident bool) {
	if m.limit == 0 || s.resident == resident {
		return
	}
	s.resident = resident
	m.mu.Lock()
	defer m.mu.Unlock()
	if !resident {
		delete(m.resident, s)
		return
	}
	m.resident[s] = struct{}{}
	s.used.Store(m.now.Add(1))
}

// touch notes that a set is used: it does not leave memory now, even if Unload has been asked to.
func (e *Engine) touch(s *set) {
	if now := e.memory.now.Load(); s.used.Load() != now {
		s.used.Store(now)
	}
}

// evictIfDue wakes the goroutine that makes sets leave memory when there is little left.
func (e *Engine) evictIfDue() {
	e.relieved(e.memory.limit)
	if m := &e.memory; m.limit > 0 && m.used.Load() > m.limit-m.limit/16 {
		select {
		case m.due <- struct{}{}:
		default:
		}
	}
}

// evictWhenDue makes sets leave memory each time there is little left, until Close. As long as they take more than the limit, because
// all are in use, it tries again: nobody may come any more who would wake it.
func (e *Engine) evictWhenDue() {
	defer e.stopped.Done()
	var again <-chan time.Time
	for {
		select {
		case <-e.stop:
			return
		case <-e.memory.due:
		case <-again:
		}
		if changed := e.sweep(); changed > e.memory.limit/4 || e.memory.used.Load() > e.memory.limit {
			e.relieve()
		}
		again = nil
		if e.memory.used.Load() > e.memory.limit {
			again = time.After(reliefPause)
		}
	}
}

// makeRoom makes sets leave memory if there is more than the limit. The caller holds no lock.
func (e *Engine) makeRoom() {
	m := &e.memory
	if m.limit == 0 || m.used.Load() <= m.limit {
		return
	}
	if changed := e.sweep(); changed > 0 && m.used.Load() > m.limit {
		e.relieve()
	}
}

// relieve takes a snapshot, so that sets that have changed can leave memory too. After one that let no set go, none is taken
// for a while: then the sets in use are more than the limit.
func (e *Engine) relieve() {
	m := &e.memory
	m.relief.Lock()
	defer m.relief.Unlock()
	if m.used.Load() <= m.limit-m.limit/8 || time.Now().Before(m.hopeless) {
		return
	}
	before, err := m.evicted.Load(), e.snapshot()
	if e.sweep(); err != nil || m.used.Load() > m.limit && m.evicted.Load() == before {
		m.hopeless = time.Now().Add(reliefPause)
	}
	if used := m.used.Load(); used > m.limit {
		e.pressed(used)
	}
}

// candidate is a set and when it was last touched.
type candidate struct {
	s    *set
	used uint32
}

// sweep makes the sets that have not been touched for longest leave memory until an eighth of the limit is free. It returns
// the bytes of sets that had to stay because they have changed since the last snapshot. O(sets in memory log sets in memory),
// for as many as fit in an eighth.
func (e *Engine) sweep() (changed int64) {
	m := &e.memory
	goal := m.limit - m.limit/8
	m.sweeping.Lock()
	defer m.sweeping.Unlock()
	if m.used.Load() <= goal {
		return 0
	}
	for _, c := range m.candidates() {
		if m.used.Load() <= goal {
			break
		}
		changed += int64(e.evict(c.s))
	}
	return changed
}

// candidates returns the sets in memory, those first that have not been touched for longest.
func (m *memory) candidates() []candidate {
	m.mu.Lock()
	all := make([]candidate, 0, len(m.resident))
	for s := range m.resident {
		all = append(all, candidate{s, s.used.Load()})
	}
	m.mu.Unlock()
	slices.SortFunc(all, func(x, y candidate) int { return cmp.Compare(x.used, y.used) })
	return all
}

// evict makes a set leave memory unless it is in use or has changed. It returns its bytes if it has changed.
func (e *Engine) evict(s *set) (changed int) {
	if !s.mu.TryLock() {
		return 0
	}
	defer s.mu.Unlock()
	switch {
	case s.gone || !s.exists || s.z == nil || s.pins.Load() > 0:
		return 0
	case !e.leave(s):
		return s.tally.size
	}
	return 0
}

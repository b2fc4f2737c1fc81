package engine

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// A set counts for something in the engine's figures: that it exists, its members in memory, its bytes. What it counts for is
// noted in the set, and brought up to date by account whenever its lock for writing is given back, so that Stats need not look
// at sets.

// tally is what a set counts for at present. Guarded by its lock.
type tally struct {
	size    int    // bytes
	members uint32 // in memory
	exists  bool
	guessed bool // size is what it is expected to take when it has been read
	big     bool // it is in accounts.layers
}

// accounts has the sums.
type accounts struct {
	counters *counters
	limit    int64         // of used; 0: none
	used     atomic.Int64  // bytes of all sets, and what those are expected to take that are being read
	now      atomic.Uint32 // rises with each set that comes into memory
	evicted  atomic.Uint64

	layersMu sync.Mutex
	layers   map[*set]layer // the shares of the sets that are no listpacks

	mu       sync.Mutex
	resident map[*set]struct{} // those that count for something; kept only if there is a limit

	unloadMu sync.Mutex
	unloads  map[*set]struct{} // those to leave memory as soon as the disk has them and nobody uses them
}

func newAccounts(c *counters, limit int64) *accounts {
	a := &accounts{counters: c, limit: limit, layers: map[*set]layer{}, resident: map[*set]struct{}{}}
	a.now.Store(leaving + 1)
	return a
}

// layer is how the bytes of a set divide.
type layer struct{ index, table int }

// account counts a set as it is now. The caller holds its lock for writing. O(1).
func (a *accounts) account(s *set) {
	exists, size, members := s.exists && !s.gone && !s.hidden(), 0, 0
	if exists && s.z != nil {
		size, members = s.z.Size(), s.z.Len()
	}
	c := &s.tally
	if c.guessed {
		a.count(s, 0)
	}
	if exists != c.exists || members != int(c.members) {
		a.countSet(s, exists, members)
	}
	if size != c.size {
		a.countLayers(s, size)
		a.count(s, size)
	}
	a.reside(s, size > 0)
}

// expect counts a set that is about to be read, by a guess in bytes. The caller holds its lock for writing.
func (a *accounts) expect(s *set, guess int) {
	a.count(s, guess)
	s.tally.guessed = true
}

// count counts the bytes of a set.
func (a *accounts) count(s *set, size int) {
	a.used.Add(int64(size - s.tally.size))
	s.tally.size, s.tally.guessed = size, false
}

// countSet counts that a set exists, or does not any more, and its members.
func (a *accounts) countSet(s *set, exists bool, members int) {
	c, mine := &s.tally, a.counters.mine()
	if exists != c.exists {
		by := int64(-1)
		if exists {
			by = 1
		}
		mine.sets.Add(by)
		mine.keys.Add(by * int64(len(s.key)))
	}
	if has := members > 0; has != (c.members > 0) {
		by := int64(-1)
		if has {
			by = 1
		}
		mine.loaded.Add(by)
	}
	mine.members.Add(int64(members) - int64(c.members))
	c.exists, c.members = exists, uint32(members)
}

// rekey gives a set another key. The caller holds its lock for writing.
func (a *accounts) rekey(s *set, key string) {
	if s.tally.exists {
		a.counters.mine().keys.Add(int64(len(key) - len(s.key)))
	}
	s.key = key
}

// countLayers counts how the bytes of a set divide, which are about to become size. A listpack is all in one.
func (a *accounts) countLayers(s *set, size int) {
	mine, now := a.counters.mine(), layer{}
	if size > 0 {
		now.index, now.table = s.z.Layers()
	}
	c := &s.tally
	if big := now != (layer{}); big || c.big {
		a.layersMu.Lock()
		was := a.layers[s]
		if c.big = big; big {
			a.layers[s] = now
		} else {
			delete(a.layers, s)
		}
		a.layersMu.Unlock()
		mine.indexes.Add(int64(now.index - was.index))
		mine.tables.Add(int64(now.table - was.table))
		mine.listpacks.Add(int64(was.index + was.table - now.index - now.table))
	}
	mine.listpacks.Add(int64(size - c.size))
}

// perSet is about what a set takes beside its entries and its key: what the engine knows of it, its lock, and its place in a map of
// keys, of which five in eight are in use on the average.
const perSet = int(unsafe.Sizeof(set{})+15)&^15 + int(unsafe.Sizeof(sync.RWMutex{})) + (16+8+1)*8/5

// reside notes whether a set counts for something. The caller holds its lock for writing.
func (a *accounts) reside(s *set, resident bool) {
	if a.limit == 0 || s.resident == resident {
		return
	}
	s.resident = resident
	a.mu.Lock()
	defer a.mu.Unlock()
	if !resident {
		delete(a.resident, s)
		return
	}
	a.resident[s] = struct{}{}
	s.used.Store(a.now.Add(1))
}

// touch notes that a set is used: it does not leave memory now, even if Unload has been asked to.
func (a *accounts) touch(s *set) {
	if now := a.now.Load(); s.used.Load() != now {
		s.used.Store(now)
	}
}

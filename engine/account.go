package engine

import (
	"sync"
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
	big     bool // it is in Engine.layers
}

// layers has the shares of the sets that are no listpacks.
type layers struct {
	mu   sync.Mutex
	sets map[*set]layer
}

// layer is how the bytes of a set divide.
type layer struct{ index, table int }

// account counts a set as it is now. The caller holds its lock for writing. O(1).
func (e *Engine) account(s *set) {
	exists, size, members := s.exists && !s.gone && !s.hidden(), 0, 0
	if exists && s.z != nil {
		size, members = s.z.Size(), s.z.Len()
	}
	c := &s.tally
	if c.guessed {
		e.count(s, 0)
	}
	if exists != c.exists || members != int(c.members) {
		e.countSet(s, exists, members)
	}
	if size != c.size {
		e.countLayers(s, size)
		e.count(s, size)
	}
	e.memory.reside(s, size > 0)
}

// expect counts a set that is about to be read, by a guess. The caller holds its lock for writing.
func (e *Engine) expect(s *set, r setOnDisk) {
	e.count(s, guess(r))
	s.tally.guessed = true
}

// count counts the bytes of a set.
func (e *Engine) count(s *set, size int) {
	e.memory.used.Add(int64(size - s.tally.size))
	s.tally.size, s.tally.guessed = size, false
}

// countSet counts that a set exists, or does not any more, and its members.
func (e *Engine) countSet(s *set, exists bool, members int) {
	c, mine := &s.tally, e.counters.mine()
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
func (e *Engine) rekey(s *set, key string) {
	if s.tally.exists {
		e.counters.mine().keys.Add(int64(len(key) - len(s.key)))
	}
	s.key = key
}

// countLayers counts how the bytes of a set divide, which are about to become size. A listpack is all in one.
func (e *Engine) countLayers(s *set, size int) {
	mine, now := e.counters.mine(), layer{}
	if size > 0 {
		now.index, now.table = s.z.Layers()
	}
	c := &s.tally
	if big := now != (layer{}); big || c.big {
		e.layers.mu.Lock()
		was := e.layers.sets[s]
		if c.big = big; big {
			e.layers.sets[s] = now
		} else {
			delete(e.layers.sets, s)
		}
		e.layers.mu.Unlock()
		mine.indexes.Add(int64(now.index - was.index))
		mine.tables.Add(int64(now.table - was.table))
		mine.listpacks.Add(int64(was.index + was.table - now.index - now.table))
	}
	mine.listpacks.Add(int64(size - c.size))
}

// perSet is about what a set takes beside its entries and its key: what the engine knows of it, its lock, and its place in a map of
// keys, of which five in eight are in use on the average.
const perSet = int(unsafe.Sizeof(set{})+15)&^15 + int(unsafe.Sizeof(sync.RWMutex{})) + (16+8+1)*8/5

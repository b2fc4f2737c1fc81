package keyspace

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/zrankdb/zrank/engine/internal/observe"
)

// Each set adds to the engine's figures: sets, members in memory, bytes. The set stores its share, and Account updates it before the write
// lock is released, so that Stats does not visit the sets.

// Accounts holds the sums over all sets.
type Accounts struct {
	counters *observe.Counters
	Limit    int64         // upper bound of Used; 0: none
	Used     atomic.Int64  // bytes of all sets; while sets are loaded, an estimate of them too
	now      atomic.Uint32 // the clock of Set.Used: rises with each set that comes into memory
	Evicted  atomic.Uint64

	layersMu sync.Mutex
	Layers   map[*Set]layer // the layers of the sets that are not listpacks

	mu       sync.Mutex
	resident map[*Set]struct{} // the sets that take memory; filled only if there is a limit

	blindMu sync.Mutex
	blind   map[*Set]struct{} // the sets with blind writes

	unloadMu sync.Mutex
	Unloads  map[*Set]struct{} // sets that leave memory as soon as the disk has them and no transaction uses them
}

// NewAccounts returns accounts of no sets. limit is how many bytes sets may take in memory; 0 means any number.
func NewAccounts(c *observe.Counters, limit int64) *Accounts {
	a := &Accounts{counters: c, Limit: limit, Layers: map[*Set]layer{}, resident: map[*Set]struct{}{}, blind: map[*Set]struct{}{}}
	a.now.Store(Leaving + 1)
	return a
}

// layer has the bytes of a set's index and of its member table.
type layer struct{ index, table int }

// Account updates the figures to the present state of a set. The caller holds its lock for writing. O(1).
func (a *Accounts) Account(s *Set) { a.Loaded(s, 0) }

// Loaded is Account for a set that has been loaded: it counts in place of the bytes that Used had reserved for it.
func (a *Accounts) Loaded(s *Set, reserved int64) {
	exists, size, members := s.Exists && !s.Gone && !s.Hidden(), 0, 0
	if exists && s.Entries != nil {
		size, members = s.Entries.Size(), s.Entries.Len()
	}
	if exists != s.marks.has(counted) || members != int(s.members) {
		a.countSet(s, exists, members)
	}
	if counts := s.counts(); size != counts {
		a.countLayers(s, size)
		s.marks.set(left, false)
		s.Size = size
		reserved -= int64(size - counts)
	}
	if reserved != 0 {
		a.Used.Add(-reserved)
	}
	a.reside(s, size > 0)
	a.ListBlind(s, exists && s.Blind() != nil)
}

// countSet updates the numbers of sets, of members and of bytes of keys for one set.
func (a *Accounts) countSet(s *Set, exists bool, members int) {
	mine := a.counters.Mine()
	if exists != s.marks.has(counted) {
		by := int64(-1)
		if exists {
			by = 1
		}
		mine.Sets.Add(by)
		mine.Keys.Add(by * int64(len(s.Key)))
	}
	if has := members > 0; has != (s.members > 0) {
		by := int64(-1)
		if has {
			by = 1
		}
		mine.Loaded.Add(by)
	}
	mine.Members.Add(int64(members) - int64(s.members))
	s.members = uint32(members)
	s.marks.set(counted, exists)
}

// rekey gives a set another key.
func (a *Accounts) rekey(s *Set, key string) {
	if s.marks.has(counted) {
		a.counters.Mine().Keys.Add(int64(len(key) - len(s.Key)))
	}
	if s.Key != key {
		s.Key = key
	}
}

// countLayers updates the totals of listpacks, indexes and member tables when the size of a set becomes size. Bytes that are in neither
// an index nor a table count as those of a listpack. It must be called before s.Size is changed.
func (a *Accounts) countLayers(s *Set, size int) {
	mine, now := a.counters.Mine(), layer{}
	if size > 0 {
		now.index, now.table = s.Entries.Layers()
	}
	if big := now != (layer{}); big || s.marks.has(layered) {
		a.layersMu.Lock()
		was := a.Layers[s]
		if s.marks.set(layered, big); big {
			a.Layers[s] = now
		} else {
			delete(a.Layers, s)
		}
		a.layersMu.Unlock()
		mine.Indexes.Add(int64(now.index - was.index))
		mine.Tables.Add(int64(now.table - was.table))
		mine.Listpacks.Add(int64(was.index + was.table - now.index - now.table))
	}
	mine.Listpacks.Add(int64(size - s.counts()))
}

// PerSet is about the memory of a set besides its entries and its key, in bytes: the Set, and its slot in a Table, where three in four
// are in use on average.
const PerSet = int(unsafe.Sizeof(Set{})+15)&^15 + (8+4)*4/3

// reside adds a set to the resident sets, or removes it. The caller holds its lock for writing.
func (a *Accounts) reside(s *Set, is bool) {
	if a.Limit == 0 || s.marks.has(resident) == is {
		return
	}
	s.marks.set(resident, is)
	a.mu.Lock()
	defer a.mu.Unlock()
	if !is {
		delete(a.resident, s)
		return
	}
	a.resident[s] = struct{}{}
	s.Used.Store(a.now.Add(1))
}

// ListBlind adds a set to the sets with blind writes, or removes it. A transaction adds it before the log has its first blind write, so that a
// snapshot that may cut the write out of the log finds the set. Account removes it. The caller holds its lock for writing.
func (a *Accounts) ListBlind(s *Set, is bool) {
	if s.marks.has(blind) == is {
		return
	}
	s.marks.set(blind, is)
	a.blindMu.Lock()
	defer a.blindMu.Unlock()
	if is {
		a.blind[s] = struct{}{}
	} else {
		delete(a.blind, s)
	}
}

// Blind returns the sets with blind writes, and those that may get some by a transaction that has them locked.
func (a *Accounts) Blind() []*Set {
	a.blindMu.Lock()
	defer a.blindMu.Unlock()
	return slices.Collect(maps.Keys(a.blind))
}

// Touch records that a set is used now. That also cancels an Unload that waits for a snapshot.
func (a *Accounts) Touch(s *Set) {
	if now := a.now.Load(); s.Used.Load() != now {
		s.Used.Store(now)
	}
}

// Leaving is Set.Used of a set that Unload wants to evict. Accounts.now is never 0.
const Leaving = 0

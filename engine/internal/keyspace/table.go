package keyspace

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"github.com/zrankdb/zrank/internal/invariants"
)

// Table finds the sets of a shard by their keys: an open hash table with linear probing. It takes 12 bytes a slot, where a Go map takes
// 25, because it has no keys beside those in the sets. It grows by a quarter, so that from 2/3 to 5/6 of the slots are in use. A lookup
// compares hashes, and the key only of a set whose hash is equal.
//
//	hashes | 0x05 |      | 0x41 | 0x43 |      | 0xe0 |
//	sets   | set  |      | set  | set  |      | set  |
//
// The home of a hash is the slot at the same place in the table as the hash has among all hashes, so when the table grows, the sets move
// to their new slots in order, and no key is hashed again.
//
//   - T1: hashes[i] is 0 if and only if sets[i] is nil. A hash is never 0.
//   - T2: no slot from the home of a set to the slot of the set is free.
//   - T3: the key of a set changes only while its shard is locked for writing, or while it is in no table.
//
// The zero value is an empty table. Its shard's lock guards it.
type Table struct {
	hashes []uint32
	sets   []*Set
	n      int
}

const (
	// shardBits is how many of the highest bits of a hash choose the shard.
	shardBits = 8
	// minSlots is how many slots a table has that has had a set.
	minSlots = 8
)

// Len returns the number of sets. O(1).
func (t *Table) Len() int { return t.n }

// All walks the sets. The table must not change meanwhile. O(slots).
func (t *Table) All() iter.Seq[*Set] {
	return func(yield func(*Set) bool) {
		for _, s := range t.sets {
			if s != nil && !yield(s) {
				return
			}
		}
	}
}

// short returns what a table has of the hash of a key. It leaves out the bits that are equal in all keys of a shard.
func short(hash uint64) uint32 { return max(uint32(hash>>(32-shardBits)), 1) }

// home returns the slot where the search for a hash begins.
func (t *Table) home(h uint32) int {
	hi, _ := bits.Mul32(h, uint32(len(t.hashes)))
	return int(hi)
}

// next returns the slot after i.
func (t *Table) next(i int) int {
	if i++; i == len(t.hashes) {
		return 0
	}
	return i
}

// find returns the slot of a key, or the free slot at which the search ended. The table must have slots.
func (t *Table) find(h uint32, key string) int {
	i := t.home(h)
	for ; t.hashes[i] != 0; i = t.next(i) {
		if t.hashes[i] == h && t.sets[i].Key == key {
			break
		}
	}
	return i
}

// get returns the set of a key, or nil. O(1).
func (t *Table) get(hash uint64, key string) *Set {
	if t.n == 0 {
		return nil
	}
	return t.sets[t.find(short(hash), key)]
}

// put puts a set under its key, in place of the one that the key has. Amortized O(1).
func (t *Table) put(hash uint64, s *Set) {
	if (t.n+1)*6 > len(t.hashes)*5 {
		t.resize(max(minSlots, len(t.hashes)*5/4))
	}
	h := short(hash)
	i := t.find(h, s.Key)
	if t.sets[i] == nil {
		t.n++
	}
	t.hashes[i], t.sets[i] = h, s
	t.check()
}

// reserve makes room for n sets in an empty table, and for so many more that most tables with n sets on average need not grow. O(n).
func (t *Table) reserve(n int) {
	if slots := n * 4 / 3; t.n == 0 && slots > minSlots {
		t.resize(slots)
	}
}

// remove removes the set at a slot, and moves sets behind it to slots nearer to their homes. O(1), amortized.
func (t *Table) remove(i int) {
	t.n--
	for j := t.next(i); t.hashes[j] != 0; j = t.next(j) {
		if home := t.home(t.hashes[j]); !between(i, home, j) {
			t.hashes[i], t.sets[i] = t.hashes[j], t.sets[j]
			i = j
		}
	}
	t.hashes[i], t.sets[i] = 0, nil
	if slots := len(t.hashes); slots > minSlots && t.n < slots/3 {
		t.resize(max(minSlots, slots/2))
	}
	t.check()
}

// check panics if an invariant does not hold, in builds that check invariants.
func (t *Table) check() {
	if !invariants.Enabled || !invariants.Due(t.n, uint64(t.n)) {
		return
	}
	n := 0
	for i, h := range t.hashes {
		if (h == 0) != (t.sets[i] == nil) {
			invariants.Violated("keyspace", "T1", fmt.Sprintf("slot %d", i), t)
		}
		if h == 0 {
			continue
		}
		n++
		for at := t.home(h); at != i; at = t.next(at) {
			if t.hashes[at] == 0 {
				invariants.Violated("keyspace", "T2", fmt.Sprintf("slot %d is free, before slot %d", at, i), t)
			}
		}
	}
	if n != t.n {
		invariants.Violated("keyspace", "T1", fmt.Sprintf("%d sets, want %d", n, t.n), t)
	}
}

// between reports whether slot x is behind slot i and not behind slot j, on the way from i to j.
func between(i, x, j int) bool {
	if i <= j {
		return i < x && x <= j
	}
	return i < x || x <= j
}

// drop removes a set, if the table has it. hash is that of its key. O(1).
func (t *Table) drop(hash uint64, s *Set) {
	if t.n == 0 {
		return
	}
	for i := t.home(short(hash)); t.hashes[i] != 0; i = t.next(i) {
		if t.sets[i] == s {
			t.remove(i)
			return
		}
	}
}

// resize moves the sets to a table of another size, with room for them. O(slots).
func (t *Table) resize(slots int) {
	old := *t
	t.sets = slices.Grow([]*Set(nil), slots) // whole blocks of the allocator
	t.sets = t.sets[:cap(t.sets)]
	t.hashes = make([]uint32, len(t.sets))
	for i, h := range old.hashes {
		if h == 0 {
			continue
		}
		at := t.home(h)
		for t.hashes[at] != 0 {
			at = t.next(at)
		}
		t.hashes[at], t.sets[at] = h, old.sets[i]
	}
}

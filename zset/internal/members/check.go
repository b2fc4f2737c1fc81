package members

import (
	"fmt"

	"github.com/zrankdb/zrank/internal/invariants"
)

// check panics if the table violates one of M1..M6. O(n).
func (t *Table) check() {
	if number, found := t.verify(); number != "" {
		invariants.Violated("members", number, found, t)
	}
}

// verify returns the number of the first invariant that does not hold and what was found instead.
func (t *Table) verify() (number, found string) {
	freed, live := map[uint32]bool{}, 0
	for i := range t.records.slabs {
		number, found := t.verifySlab(i, freed, &live)
		if number != "" {
			return number, found
		}
	}
	if live != t.n {
		return "M1", fmt.Sprintf("%d live records, Len is %d", live, t.n)
	}
	if number, found := t.records.verifyChains(freed); number != "" {
		return number, found
	}
	return t.verifyIndex()
}

// verifySlab walks a slab, adds its live records to live and notes those that must be in a chain.
func (t *Table) verifySlab(i int, freed map[uint32]bool, live *int) (number, found string) {
	r := &t.records
	end, units := 0, 0
	for ref, alive := range r.walk(i, 0) {
		switch {
		case alive:
			*live++
			if at, ok := t.Find(t.Member(ref)); !ok || at != ref {
				return "M1", fmt.Sprintf("record %#x with text %q is found at %#x %v", ref, r.text(ref), at, ok)
			}
			units += r.endOf(ref)/unit - int(ref&(1<<slabBits-1))
		case i != r.victim:
			freed[ref] = true
		}
		end = r.endOf(ref)
	}
	want := len(r.slabs[i])
	if i == r.fill {
		want = r.end
	}
	if want-end >= class(0)*unit || end > want {
		return "M2", fmt.Sprintf("slab %d: records end at %d, not %d", i, end, want)
	}
	if slab := r.slabs[i]; len(slab) > textAt && length(slab, 0) == large {
		units = 0
	}
	if units != int(r.lives[i]) {
		return "M5", fmt.Sprintf("slab %d: %d live units, not %d", i, units, r.lives[i])
	}
	return "", ""
}

// verifyChains follows the chains both ways; they must hold what was found free.
func (r *records) verifyChains(freed map[uint32]bool) (number, found string) {
	for c, ref := range r.free {
		before := nothing
		for ref != nothing {
			next, prev := r.links(ref)
			if !freed[ref] || prev != before {
				return "M3", fmt.Sprintf("record %#x in the chain of class %d is not free, or there twice, or follows %#x", ref, c, prev)
			}
			delete(freed, ref)
			before, ref = ref, next
		}
	}
	if len(freed) != 0 {
		return "M3", fmt.Sprintf("%d free records are in no chain", len(freed))
	}
	return "", ""
}

// verifyIndex recounts what tables hold and what passed each bucket.
func (t *Table) verifyIndex() (number, found string) {
	x := &t.index
	live, deepest := 0, 0
	for part := range x.tables {
		if part.depth == x.depth {
			deepest++
		}
		n, over := 0, make([]uint16, len(part.buckets))
		for g := range part.buckets {
			for p := range part.refsAt(g) {
				n++
				for h := part.home(t.rehash(p)); h != g; h = part.after(h) {
					over[h]++
				}
			}
		}
		for g := range over {
			if over[g] != part.buckets[g].over {
				return "M4", fmt.Sprintf("bucket %d of %d: %d records passed, not %d", g, len(part.buckets), over[g], part.buckets[g].over)
			}
		}
		if n != part.live() {
			return "M6", fmt.Sprintf("a table holds %d refs, not %d", n, part.live())
		}
		live += n
	}
	if live != t.n || deepest != x.deepest || deepest == 0 {
		return "M6", fmt.Sprintf("%d refs, Len is %d; %d tables of depth %d, not %d", live, t.n, deepest, x.depth, x.deepest)
	}
	return "", ""
}

// refsAt yields the refs that stand in bucket g.
func (t table) refsAt(g int) func(yield func(uint32) bool) {
	return func(yield func(uint32) bool) {
		for i := range places {
			if t.buckets[g].tag(i) != 0 && !yield(t.buckets[g].refs[i]) {
				return
			}
		}
	}
}

// endOf returns the offset at which a record ends in its slab.
func (r *records) endOf(ref uint32) int {
	slab, off := r.at(ref)
	n := length(slab, off)
	if n == large {
		return len(slab)
	}
	return off + class(n&^freeFlag)*unit
}

// GoString says what the table holds in one line.
func (t *Table) GoString() string {
	r := &t.records
	return fmt.Sprintf("members.Table{%d members, %d slabs, depth %d, fill %d at %d, victim %d at %d}",
		t.n, len(r.slabs), t.index.depth, r.fill, r.end, r.victim, r.moved)
}

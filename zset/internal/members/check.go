package members

import (
	"fmt"
	"math/bits"

	"github.com/zrankdb/zrank/internal/invariants"
)

// check panics if the table violates one of M1..M4. O(n).
func (t *Table) check() {
	if number, found := t.verify(); number != "" {
		invariants.Violated("members", number, found, t)
	}
}

// verify returns the number of the first invariant that does not hold and what was found instead.
func (t *Table) verify() (number, found string) {
	freed, live := map[uint32]bool{}, 0
	for i := range t.records.slabs {
		end := 0
		for ref, alive := range t.records.walk(i) {
			text := t.records.text
			if !alive {
				freed[ref] = true
			} else {
				live++
				if at, ok := t.Find(t.Member(ref)); !ok || at != ref {
					return "M1", fmt.Sprintf("record %#x with text %q is found at %#x %v", ref, text(ref), at, ok)
				}
			}
			end = t.records.endOf(ref)
		}
		if want := t.records.expectedEnd(i); want-end >= class(0)*unit || end > want {
			return "M2", fmt.Sprintf("slab %d: records end at %d, not %d", i, end, want)
		}
	}
	if live != t.n {
		return "M1", fmt.Sprintf("%d live records, Len is %d", live, t.n)
	}
	for c, ref := range t.records.free {
		for ; ref != nothing; ref = uint32(t.records.key(ref)) {
			if !freed[ref] {
				return "M3", fmt.Sprintf("record %#x in the chain of class %d is not free, or there twice", ref, c)
			}
			delete(freed, ref)
		}
	}
	if len(freed) != 0 {
		return "M3", fmt.Sprintf("%d free records are in no chain", len(freed))
	}
	return t.verifyIndex()
}

// verifyIndex recounts what passed each bucket.
func (t *Table) verifyIndex() (number, found string) {
	live := 0
	var last *table
	for i, q := range t.index.dir {
		if q == last {
			continue
		}
		last = q
		var over [buckets]uint32
		for g := range q.buckets {
			b := &q.buckets[g]
			for m := ^b.matches(0) & (1<<places - 1); m != 0; m &= m - 1 {
				live++
				for p := home(t.rehash(b.refs[bits.TrailingZeros32(m)])); p != g; p = (p + 1) & (buckets - 1) {
					over[p]++
				}
			}
		}
		for g := range over {
			if over[g] != q.buckets[g].over {
				return "M4", fmt.Sprintf("bucket %d of table %d: %d records passed, not %d", g, i, over[g], q.buckets[g].over)
			}
		}
	}
	if live != t.n {
		return "M1", fmt.Sprintf("the index holds %d refs, Len is %d", live, t.n)
	}
	return "", ""
}

// endOf returns the offset at which a record ends in its slab.
func (r *records) endOf(ref uint32) int {
	slab, off := r.at(ref)
	n := int(slab[off+lengthAt]) | int(slab[off+lengthAt+1])<<8
	if n == large {
		return len(slab)
	}
	return off + class(n&^freeFlag)*unit
}

// expectedEnd returns the offset at which the records of a slab must end, give or take less than the smallest record.
func (r *records) expectedEnd(i int) int {
	if i == r.fill {
		return r.end
	}
	return len(r.slabs[i])
}

// GoString says what the table holds in one line.
func (t *Table) GoString() string {
	return fmt.Sprintf("members.Table{%d members, %d slabs, %d tables, fill %d at %d}",
		t.n, len(t.records.slabs), t.index.tables(), t.records.fill, t.records.end)
}

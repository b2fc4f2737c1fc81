package members

import (
	"fmt"
	"math/bits"

	"github.com/zrankdb/zrank/internal/invariants"
)

// check panics if the table violates one of M1..M5. O(n).
func (t *Table) check() {
	if number, found := t.verify(); number != "" {
		invariants.Violated("members", number, found, t)
	}
}

// verify returns the number of the first violated invariant and a description; "" means that all hold.
func (t *Table) verify() (number, found string) {
	freed, live := map[uint32]bool{}, 0
	for i := range t.Pages() {
		n, number, found := t.verifySlab(i, freed)
		if number != "" {
			return number, found
		}
		live += n
	}
	if live != t.n {
		return "M1", fmt.Sprintf("%d live records, Len is %d", live, t.n)
	}
	for _, verify := range []func() (string, string){
		func() (string, string) { return t.records.verifyChains(freed) }, t.records.verifyCounts, t.verifyIndex,
	} {
		if number, found = verify(); number != "" {
			return number, found
		}
	}
	return "", ""
}

// verifySlab checks the records of a slab and returns the number of live ones. It adds to freed the free records that must be in a
// chain.
func (t *Table) verifySlab(i int, freed map[uint32]bool) (live int, number, found string) {
	r := &t.records
	slab := r.list[i]
	if slab == nil {
		return 0, "", ""
	}
	end, used := 0, 0
	for ref, alive := range r.walk(i) {
		n, _ := r.length(ref)
		if n == large {
			n = len(slab) - textAt
		}
		_, off := r.at(ref)
		end = off + class(n)*unit
		switch {
		case alive:
			live++
			used += class(n)
			if at, ok := t.Find(t.Member(ref)); !ok || at != ref {
				return 0, "M1", fmt.Sprintf("record %#x with text %q is found at %#x %v", ref, r.text(ref), at, ok)
			}
		case i != r.victim || off >= r.passed:
			freed[ref] = true
		}
		if alive && i == r.victim && off < r.passed {
			return 0, "M3", fmt.Sprintf("record %#x is live where the evacuation has passed", ref)
		}
	}
	if r.used[i] == isLarge {
		return live, "", ""
	}
	if want := r.endOf(i); want-end >= class(0)*unit || end > want {
		return 0, "M2", fmt.Sprintf("slab %d: records end at %d, not %d", i, end, want)
	}
	if used != int(r.used[i]) {
		return 0, "M5", fmt.Sprintf("slab %d: %d units are live, not %d", i, used, r.used[i])
	}
	return live, "", ""
}

// verifyChains follows the chains, which must hold the free records and nothing else.
func (r *records) verifyChains(freed map[uint32]bool) (number, found string) {
	for c, ref := range r.free {
		for prev := nothing; ref != nothing; prev, ref = ref, uint32(r.key(ref)) {
			n, _ := r.length(ref)
			if !freed[ref] || class(n) != c || uint32(r.key(ref)>>32) != prev {
				return "M3", fmt.Sprintf("record %#x in the chain of class %d is not free, or not of it, or there twice", ref, c)
			}
			delete(freed, ref)
		}
	}
	if len(freed) != 0 {
		return "M3", fmt.Sprintf("%d free records are in no chain", len(freed))
	}
	return "", ""
}

// verifyCounts recounts the slabs.
func (r *records) verifyCounts() (number, found string) {
	if len(r.used) != len(r.list) || len(r.marks) != len(r.list) {
		return "M5", fmt.Sprintf("%d slabs, %d counts of what is live, %d marks", len(r.list), len(r.used), len(r.marks))
	}
	bytes, live, gaps := 0, 0, 0
	for i, slab := range r.list {
		bytes += cap(slab)
		switch {
		case slab == nil:
			if gaps++; i/64 < r.lowest || r.unused[i/64]>>(i%64)&1 == 0 {
				return "M5", fmt.Sprintf("nobody knows that number %d is free", i)
			}
		case r.used[i] == isLarge:
			live += cap(slab)
		default:
			live += int(r.used[i]) * unit
		}
	}
	set := 0
	for _, word := range r.unused {
		set += bits.OnesCount64(word)
	}
	if bytes != r.bytes || live != r.live || gaps != r.gaps || gaps != set {
		return "M5", fmt.Sprintf("%d bytes held, %d live, %d numbers free and %d known; not %d, %d, %d",
			bytes, live, gaps, set, r.bytes, r.live, r.gaps)
	}
	return "", ""
}

// verifyIndex recomputes the overflow count of each bucket and the counts of the index, and compares them.
func (t *Table) verifyIndex() (number, found string) {
	x := &t.index
	live, deepest, bytes := 0, 0, 0
	for i, q := range x.tables {
		over := make([]uint32, len(q.buckets))
		own := 0
		var refs [places]uint32
		for g := range q.buckets {
			n := q.buckets[g].live(&refs)
			own += n
			for _, ref := range refs[:n] {
				for p := q.home(t.rehash(ref)); p != g; p = q.next(p) {
					over[p]++
				}
			}
		}
		passed := 0
		for g := range over {
			passed += int(over[g])
			if over[g] != q.buckets[g].over {
				return "M4", fmt.Sprintf("bucket %d of table %d: %d records passed, not %d", g, i, over[g], q.buckets[g].over)
			}
		}
		if own != int(q.live) || passed != int(q.passed) {
			return "M4", fmt.Sprintf("table %d holds %d records and %d passed, not %d and %d", i, own, passed, q.live, q.passed)
		}
		if q.depth == x.depth {
			deepest++
		}
		live += own
		bytes += len(q.buckets) * bucketBytes
	}
	if live != t.n {
		return "M1", fmt.Sprintf("the index holds %d refs, Len is %d", live, t.n)
	}
	if deepest != x.deepest || bytes != x.bytes {
		return "M4", fmt.Sprintf("%d tables are deepest and all hold %d bytes, not %d and %d", deepest, bytes, x.deepest, x.bytes)
	}
	return "", ""
}

// GoString says what the table holds in one line. O(1).
func (t *Table) GoString() string {
	return fmt.Sprintf("members.Table{%d members, %d slabs, directory of %d, fill %d at %d, victim %d at %d}",
		t.n, t.Pages(), len(t.index.dir), t.records.fill, t.records.end, t.records.victim, t.records.passed)
}

// changed is called at the end of every change.
func (t *Table) changed() {
	if invariants.Enabled {
		t.changes++
		if invariants.Due(t.n, t.changes) {
			t.check()
		}
	}
}

package members

import "encoding/binary"

// Find returns the ref of a member. O(1), no allocation.
func (t *Table) Find(member []byte) (ref uint32, ok bool) {
	ref, _, ok = t.FindKey(member)
	return ref, ok
}

// FindKey returns the ref and the key of a member. O(1), no allocation.
//
// It takes three loads, each of which needs the one before: the directory's entry, the bucket, the record. The rest is kept
// off that path: a record is cut out of its slab once, for the key, the length and the text; long texts go elsewhere. A
// map of strings to float64 takes 14, 31 and 137 ns where this takes 25, 36 and 138 (BenchmarkFind, 20-byte members). Where
// forms of it take turns with the map, so that each finds the caches cold, least ns of 60 rounds:
//
//	                                                members: 1000  100 thousand  1 million
//	map                                                      13.3          82.3      153.1
//	this                                                     21.9          32.5      129.9
//	the slab sliced for the record, and again for the text   22.6          35.1      134.7
//	text and key by calls, long texts in the same loop       25.7          40.5      152.0
//	first candidate before a loop, inexact zero bytes        22.1          31.0      122.9   too close for two forms of a search
func (t *Table) FindKey(member []byte) (ref uint32, key uint64, ok bool) {
	want := t.tie + len(member)
	if want > maxText {
		return t.findLarge(member)
	}
	h := t.index.hash(member)
	q := t.index.table(h)
	home := q.home(h)
	for g := home; ; {
		b := &q.buckets[g]
		for m := b.matches(tag(h)); m != 0; m &= m - 1 {
			ref = b.refs[first(m)]
			slab, off := t.records.at(ref)
			if off+textAt+want > len(slab) {
				continue
			}
			record := slab[off : off+textAt+want]
			if int(binary.LittleEndian.Uint16(record[lengthAt:])) == want && string(record[textAt+t.tie:]) == string(member) {
				return ref, binary.LittleEndian.Uint64(record), true
			}
		}
		if g = q.next(g); b.over == 0 || g == home {
			return 0, 0, false
		}
	}
}

// findLarge is FindKey for a member whose record is large.
func (t *Table) findLarge(member []byte) (ref uint32, key uint64, ok bool) {
	h := t.index.hash(member)
	q := t.index.table(h)
	home := q.home(h)
	for g := home; ; {
		b := &q.buckets[g]
		for m := b.matches(tag(h)); m != 0; m &= m - 1 {
			ref = b.refs[first(m)]
			if string(t.Member(ref)) == string(member) {
				return ref, t.Key(ref), true
			}
		}
		if g = q.next(g); b.over == 0 || g == home {
			return 0, 0, false
		}
	}
}

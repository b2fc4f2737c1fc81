package members

import "encoding/binary"

// Find returns the ref of a member. O(1), no allocation.
func (t *Table) Find(member []byte) (ref uint32, ok bool) {
	ref, _, ok = t.FindKey(member)
	return ref, ok
}

// FindKey returns the ref and the key of a member. O(1), no allocation.
//
// It makes three dependent loads: the directory's entry, the bucket, the record. Everything else is kept off that path: the code slices
// the slab once for the key, the length and the text, and leaves long texts to findLarge. BenchmarkFind with 20-byte members at 1000,
// 100 thousand and 1 million members takes 25, 36 and 138 ns; a map of strings to float64 takes 14, 31 and 137. The table has the least
// ns of 60 rounds in which variants and the map take turns, so that each finds cold caches:
//
//	                                                members: 1000  100 thousand  1 million
//	map                                                      13.3          82.3      153.1
//	this                                                     21.9          32.5      129.9
//	the slab sliced for the record, and again for the text   22.6          35.1      134.7
//	text and key by calls, long texts in the same loop       25.7          40.5      152.0
//	first candidate before a loop, inexact zero bytes        22.1          31.0      122.9   not worth a second form of the search
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

// findLarge is FindKey for a member of a large record, whose length field does not hold the length.
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

package skiplist

import (
	"bytes"
	"math/bits"
)

// path is the result of a descent: for each level the last tower visited, and the rank of its leaf's first entry.
type path struct {
	tower [maxHeight]uint32
	rank  [maxHeight]uint32
}

// descend walks from the head to the leaf in which (key, text) is or would be, and fills p. It reads links, and reads records only
// where keys are equal. O(log n).
func (l *List) descend(key uint64, text []byte, p *path) (tower uint32) {
	rank := uint32(0)
	tower = head
	for level := l.level - 1; level >= 0; level-- {
		for {
			k := l.link(tower, level)
			if k.key >= key && (k.key > key || !l.reaches(k, text)) {
				break
			}
			rank += k.span
			tower = k.next
		}
		p.tower[level], p.rank[level] = tower, rank
	}
	return tower
}

// reaches reports whether a link with the key sought leads to a leaf whose first entry is not after text.
func (l *List) reaches(k *link, text []byte) bool {
	return k.next != none && bytes.Compare(l.records.Text(k.ref), text) <= 0
}

// reach walks from the head to the last leaf that begins before rank want, which must be at most Len, and fills p. For rank 0 it
// returns the head. O(log n).
func (l *List) reach(want int, p *path) (tower uint32) {
	rank := uint32(0)
	tower = head
	for level := l.level - 1; level >= 0; level-- {
		for {
			k := l.link(tower, level)
			if rank+k.span >= uint32(want) {
				break
			}
			rank += k.span
			tower = k.next
		}
		p.tower[level], p.rank[level] = tower, rank
	}
	return tower
}

// lower returns the index of the first of n pieces that is not below x. It has no branch that depends on pieces: half of
// those would be mispredicted.
func (f *leaf) lower(x piece, n int) int {
	i := 0
	for n > 0 {
		half := (n + 1) / 2
		below := (int(f.pieces[(i+half-1)&(maxLeaf-1)]) - int(x)) >> (bits.UintSize - 1) // -1 or 0
		i += half & below
		n -= half
	}
	return i
}

// search returns the index of the first of n entries on a slot that is not before (key, text). It reads the records of entries whose
// piece equals that of key.
func (l *List) search(slot uint32, n int, key uint64, text []byte) int {
	x, below, ok := l.place(slot).piece(key)
	if !ok {
		if below {
			return 0
		}
		return n
	}
	f := l.leaf(slot)
	i := f.lower(x, n)
	if i == n || f.pieces[i] != x {
		return i
	}
	end := i + 1
	for end < n && f.pieces[end] == x {
		end++
	}
	for i < end {
		mid := int(uint(i+end) / 2)
		if l.before(f.refs[mid], key, text) {
			i = mid + 1
		} else {
			end = mid
		}
	}
	return i
}

// before reports whether an entry is before (key, text).
func (l *List) before(ref uint32, key uint64, text []byte) bool {
	k := l.records.Key(ref)
	return k < key || k == key && bytes.Compare(l.records.Text(ref), text) < 0
}

// index returns the index of the entry (key, ref) among the n entries on a slot. Among entries with equal pieces it compares refs.
func (l *List) index(slot uint32, n int, key uint64, ref uint32) (int, bool) {
	x, _, ok := l.place(slot).piece(key)
	if !ok {
		return 0, false
	}
	f := l.leaf(slot)
	for i := f.lower(x, n); i < n && f.pieces[i] == x; i++ {
		if f.refs[i] == ref {
			return i, l.records.Key(ref) == key
		}
	}
	return 0, false
}

// find descends to an entry. ok is false if the list does not hold it.
func (l *List) find(key uint64, ref uint32, p *path) (tower uint32, i int, ok bool) {
	tower = l.descend(key, l.records.Text(ref), p)
	k := l.link(tower, 0)
	i, ok = l.index(k.slot, int(k.span), key, ref)
	return tower, i, ok
}

// Rank returns the number of entries before (key, ref), which the list must hold. It does not read the entry if its piece is the only one of
// its value in the leaf: that saves a cache miss. O(log n).
func (l *List) Rank(key uint64, ref uint32) int {
	var p path
	k := l.link(l.descend(key, l.records.Text(ref), &p), 0)
	slot, n := k.slot, int(k.span)
	x, _, _ := l.place(slot).piece(key)
	f := l.leaf(slot)
	i := f.lower(x, n)
	if i+1 < n && f.pieces[i+1] == x {
		i, _ = l.index(slot, n, key, ref)
	}
	return int(p.rank[0]) + i
}

// Seek returns the number of entries before (key, text), whether or not the list holds such an entry. Entries with a lower
// key, and only they, are before (key, nil). O(log n).
func (l *List) Seek(key uint64, text []byte) int {
	var p path
	k := l.link(l.descend(key, text, &p), 0)
	return int(p.rank[0]) + l.search(k.slot, int(k.span), key, text)
}

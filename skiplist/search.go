package skiplist

import "bytes"

// path is what a descent leaves behind: for each level the last tower stood on and the rank of its leaf's first entry.
type path struct {
	tower [maxHeight]uint32
	rank  [maxHeight]int
}

// The direction a descent takes at a link whose entry equals the one sought.
const (
	into   = 0  // go on: end in the leaf that holds the entry
	before = -1 // stop: end in the leaf before the one that starts with the entry
)

// descend walks from the head to the leaf in which (key, text) stands or would stand, and fills p. It touches links, and
// records only where keys are equal. O(log n).
func (l *List) descend(key uint64, text []byte, p *path, equal int) (tower uint32, rank int) {
	tower, rank = head, 0
	for level := l.level - 1; level >= 0; level-- {
		for {
			k := l.links.at(tower + uint32(level))
			if k.key > key || k.next == none {
				break
			}
			if k.key == key && bytes.Compare(l.texts.Text(k.ref), text) > equal {
				break
			}
			rank += int(k.span)
			tower = k.next
		}
		p.tower[level], p.rank[level] = tower, rank
	}
	return tower, rank
}

// lower returns the index of the first of n keys that is not below key.
func (f *leaf) lower(key uint64, n int) int {
	lo, hi := 0, n
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if f.keys[mid&(maxLeaf-1)] < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// search returns the index of the first of the leaf's n entries that is not before (key, text).
func (l *List) search(f *leaf, n int, key uint64, text []byte) int {
	i := f.lower(key, n)
	if i == n || f.keys[i] != key {
		return i
	}
	end := i + 1
	for end < n && f.keys[end] == key {
		end++
	}
	for i < end {
		mid := int(uint(i+end) / 2)
		if bytes.Compare(l.texts.Text(f.refs[mid]), text) < 0 {
			i = mid + 1
		} else {
			end = mid
		}
	}
	return i
}

// index returns where ref stands in the leaf; among equal keys the refs are compared, not the texts.
func (f *leaf) index(key uint64, ref uint32, n int) (int, bool) {
	for i := f.lower(key, n); i < n && f.keys[i] == key; i++ {
		if f.refs[i] == ref {
			return i, true
		}
	}
	return 0, false
}

// find descends to an entry. ok is false if the list does not hold it.
func (l *List) find(key uint64, ref uint32, p *path) (tower uint32, i int, ok bool) {
	tower, _ = l.descend(key, l.texts.Text(ref), p, into)
	f, n := l.leaf(tower)
	i, ok = f.index(key, ref, n)
	return tower, i, ok
}

// Rank returns the number of entries before (key, ref), and false if the list does not hold it. O(log n).
func (l *List) Rank(key uint64, ref uint32) (int, bool) {
	var p path
	_, i, ok := l.find(key, ref, &p)
	return p.rank[0] + i, ok
}

// Seek returns the number of entries before (key, text), whether or not the list holds such an entry. Entries with a lower
// key, and only they, are before (key, nil). O(log n).
func (l *List) Seek(key uint64, text []byte) int {
	var p path
	tower, rank := l.descend(key, text, &p, into)
	f, n := l.leaf(tower)
	return rank + l.search(f, n, key, text)
}

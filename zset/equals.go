package zset

import "bytes"

// Equals have the same key and the same columns, which are the first ScoreTie bytes of their ties. Since entries are ordered by key and
// then by columns, equals are adjacent. The functions below compute where they begin and end.

// columns returns the part of a tie that belongs to the score.
func (c *core) columns(tie []byte) []byte { return tie[:c.limits().scoreTie] }

// value returns the key and columns of a member, which its equals share.
func (c *core) value(member []byte) (key uint64, columns []byte, ok bool) {
	h, ok := c.find(member)
	if !ok {
		return 0, nil, false
	}
	key, tie := c.record(h)
	return key, c.columns(tie), true
}

// after returns the number of entries before or with a key and columns. Without columns it counts all entries with the key. O(log n).
func (c *core) after(key uint64, columns []byte) int {
	var next [MaxTieWidth]byte
	for i := copy(next[:], columns) - 1; i >= 0; i-- {
		if next[i]++; next[i] != 0 {
			return c.seek(key, next[:len(columns)])
		}
	}
	return c.countTo(key, true)
}

// placeOf returns the rank, under a Mode, of the entries with a key and columns, or the rank that a new entry with them would have.
func (c *core) placeOf(how Mode, key uint64, columns []byte) int {
	switch first := c.seek(key, columns); how {
	case Modified:
		return max(first, c.after(key, columns)-1)
	case Dense:
		return c.distinct(0, first)
	default:
		return first
	}
}

// revPlaceOf is placeOf in the reverse order.
func (c *core) revPlaceOf(how Mode, key uint64, columns []byte) int {
	n := c.len()
	switch after := c.after(key, columns); how {
	case Modified:
		return max(n-after, n-c.seek(key, columns)-1)
	case Dense:
		return c.distinct(after, n)
	default:
		return n - after
	}
}

// distinct returns the number of distinct values in [lo, hi), which must lie in [0, Len] and begin with the first of its
// equals.
func (c *core) distinct(lo, hi int) (n int) {
	b := c.big()
	switch {
	case b == nil && c.image() == nil:
		return c.walkDistinct(lo, hi)
	case b != nil && c.limits().dense:
		return b.index.Groups(hi) - b.index.Groups(lo)
	}
	for ; lo < hi; n++ {
		key, tie, _ := c.entry(lo)
		lo = c.after(key, c.columns(tie))
	}
	return n
}

// walkDistinct is distinct for a listpack.
func (c *core) walkDistinct(lo, hi int) (n int) {
	var last uint64
	var columns []byte
	var w walk
	for w.ascend(c, lo, hi); w.next(); {
		key, tie, _ := w.entry()
		if n == 0 || key != last || !bytes.Equal(columns, c.columns(tie)) {
			n++
		}
		last, columns = key, c.columns(tie)
	}
	return n
}

// countTo returns the number of entries with a lower key, or with an equal one too.
func (c *core) countTo(key uint64, equal bool) int {
	if equal {
		if key++; key == 0 {
			return c.len()
		}
	}
	return c.seek(key, nil)
}

// Mode says which rank equals have. The numbers are the ranks of scores 50, 40, 40 and 30, as a table shows them: from 1,
// in the reverse order. The methods of a View return ranks from 0.
type Mode uint8

const (
	// Ordinal gives every entry a rank of its own: 1 2 3 4. The tie, then the member, decides.
	Ordinal Mode = iota
	// Competition gives equals the best rank among them, and leaves a gap after them: 1 2 2 4.
	Competition
	// Modified gives equals the worst rank among them, and leaves a gap before them: 1 3 3 4.
	Modified
	// Dense gives equals one rank and leaves no gap: 1 2 2 3.
	Dense
)

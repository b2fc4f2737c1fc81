package zset

import (
	"unsafe"
)

// TieWidth returns the width of the set's ties in bytes, 0 for none. O(1).
func (v *View) TieWidth() int { return int(v.limits.tieWidth) }

// Score returns a member's score, as Redis ZSCORE, and false if the set does not hold it. O(1).
func (v *View) Score(member []byte) (float64, bool) {
	h, ok := v.find(member)
	if !ok {
		return 0, false
	}
	key, _ := v.record(h)
	return scoreOf(key), true
}

// Get returns a member's score and tie, and false if the set does not hold it. The tie aliases the set. O(1).
func (v *View) Get(member []byte) (score float64, tie []byte, ok bool) {
	h, ok := v.find(member)
	if !ok {
		return 0, nil, false
	}
	key, tie := v.record(h)
	return scoreOf(key), tie, true
}

// Rank returns the number of entries before a member, as Redis ZRANK, and false if the set does not hold it. O(log n).
func (v *View) Rank(member []byte) (int, bool) {
	h, ok := v.find(member)
	if !ok {
		return 0, false
	}
	return v.rank(h), true
}

// RevRank returns the number of entries after a member, as Redis ZREVRANK, and false if the set does not hold it. O(log n).
func (v *View) RevRank(member []byte) (int, bool) {
	rank, ok := v.Rank(member)
	if !ok {
		return 0, false
	}
	return v.Len() - 1 - rank, true
}

// Size returns the bytes of memory that the set holds, by its own count. O(size / 64 KiB).
func (v *View) Size() int {
	size := int(unsafe.Sizeof(*v)) + v.small.Size()
	if v.big != nil {
		size += int(unsafe.Sizeof(*v.big)) + v.big.table.Size() + v.big.index.Size()
	}
	return size
}

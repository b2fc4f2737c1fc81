package zset

import (
	"iter"
	"slices"
)

// EntryOf is a member with its score and tie, as handed out in copies.
type EntryOf[S Score] struct {
	Member []byte
	Score  S
	Tie    []byte // nil in a set without ties
}

// The two kinds of entries.
type (
	Entry    = EntryOf[float64]
	IntEntry = EntryOf[int64]
)

// copier makes entries that do not alias the set. It copies the bytes of many entries into one block, so that a result costs a few
// allocations and not one for each entry.
type copier[S Score] struct {
	block []byte
	left  int // expected number of entries still to come, for the size of the next block
}

// entry returns a copy of an entry.
func (c *copier[S]) entry(key uint64, tie, member []byte) EntryOf[S] {
	n := len(tie) + len(member)
	if len(c.block)+n > cap(c.block) {
		c.block = make([]byte, 0, min(max(c.left, 1)*n, max(n, 8<<10)))
	}
	c.left--
	from := len(c.block)
	c.block = append(append(c.block, member...), tie...)
	text := c.block[from:len(c.block):len(c.block)]
	e := EntryOf[S]{Member: text[:len(member):len(member)], Score: scoreOf[S](key)}
	if len(tie) > 0 {
		e.Tie = text[len(member):]
	}
	return e
}

// clamp makes [lo, hi) an interval of ranks that exist, empty if lo is not below hi.
func (c *core) clamp(lo, hi int) (int, int) {
	lo, hi = max(lo, 0), min(hi, c.len())
	return min(lo, max(hi, 0)), max(hi, 0)
}

// Range walks the entries with ranks in [lo, hi), lowest score first, as Redis ZRANGE. Ranks count from 0, and hi is not part
// of the interval: Range(0, 2) is two entries. Ranks that do not exist are left out. The member aliases the set. O(log n + hi
// - lo), no allocation.
func (v *ViewOf[S]) Range(lo, hi int) iter.Seq2[[]byte, S] {
	return func(yield func([]byte, S) bool) {
		lo, hi := v.clamp(lo, hi)
		v.ascend(lo, hi, func(key uint64, _, member []byte) bool { return yield(member, scoreOf[S](key)) })
	}
}

// RevRange walks the entries with reverse ranks in [lo, hi), highest score first, as Redis ZREVRANGE: the entry with the
// highest score has reverse rank 0, and hi is not part of the interval: RevRange(0, 2) is the best two. Ranks that do not
// exist are left out. The member aliases the set. O(log n + hi - lo), no allocation.
func (v *ViewOf[S]) RevRange(lo, hi int) iter.Seq2[[]byte, S] {
	return func(yield func([]byte, S) bool) {
		lo, hi := v.clamp(lo, hi)
		n := v.Len()
		v.descend(n-hi, n-lo, func(key uint64, _, member []byte) bool { return yield(member, scoreOf[S](key)) })
	}
}

// Entries walks the entries with ranks in [lo, hi), from 0 and without hi, lowest score first. Ranks that do not exist are left out. Member
// and tie alias the set. O(log n + hi - lo), no allocation.
func (v *ViewOf[S]) Entries(lo, hi int) iter.Seq[EntryOf[S]] {
	return func(yield func(EntryOf[S]) bool) {
		lo, hi := v.clamp(lo, hi)
		v.ascend(lo, hi, func(key uint64, tie, member []byte) bool {
			e := EntryOf[S]{Member: member, Score: scoreOf[S](key)}
			if len(tie) > 0 {
				e.Tie = tie
			}
			return yield(e)
		})
	}
}

// Append appends copies of the entries with ranks in [lo, hi), from 0 and without hi, to dst, lowest score first. Ranks that
// do not exist are left out. O(log n + hi - lo).
func (v *ViewOf[S]) Append(dst []EntryOf[S], lo, hi int) []EntryOf[S] {
	lo, hi = v.clamp(lo, hi)
	c := copier[S]{left: hi - lo}
	dst = slices.Grow(dst, hi-lo)
	v.ascend(lo, hi, func(key uint64, tie, member []byte) bool {
		dst = append(dst, c.entry(key, tie, member))
		return true
	})
	return dst
}

// AppendRev appends copies of the entries with reverse ranks in [lo, hi), from 0 and without hi, to dst, highest score first.
// Ranks that do not exist are left out. O(log n + hi - lo).
func (v *ViewOf[S]) AppendRev(dst []EntryOf[S], lo, hi int) []EntryOf[S] {
	lo, hi = v.clamp(lo, hi)
	c := copier[S]{left: hi - lo}
	dst = slices.Grow(dst, hi-lo)
	n := v.Len()
	v.descend(n-hi, n-lo, func(key uint64, tie, member []byte) bool {
		dst = append(dst, c.entry(key, tie, member))
		return true
	})
	return dst
}

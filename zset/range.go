package zset

import (
	"iter"
	"slices"
)

// EntryOf is a member with its score and tie, as handed out in copies.
type EntryOf[S Score] struct {
	Member []byte // its name
	Score  S      // its score
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

// append appends a copy of an entry to dst. It writes the fields in place: a struct that is written field by field and then copied in larger
// pieces makes the processor wait until the writes have completed, and takes three times as long.
func (c *copier[S]) append(dst []EntryOf[S], key uint64, tie, member []byte) []EntryOf[S] {
	n := len(tie) + len(member)
	if len(c.block)+n > cap(c.block) {
		c.block = make([]byte, 0, min(max(c.left, 1)*n, max(n, 8<<10)))
	}
	c.left--
	from := len(c.block)
	middle := from + len(member)
	text := c.block[:from+n]
	copy(text[from:], member)
	dst = append(dst, EntryOf[S]{})
	e := &dst[len(dst)-1]
	e.Member, e.Score = text[from:middle:middle], scoreOf[S](key)
	if len(tie) > 0 {
		copy(text[middle:], tie)
		e.Tie = text[middle:len(text):len(text)]
	}
	c.block = text
	return dst
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
		var w walk
		for w.ascend(&v.core, lo, hi); w.next(); {
			if key, _, member := w.entry(); !yield(member, scoreOf[S](key)) {
				return
			}
		}
	}
}

// RevRange walks the entries with reverse ranks in [lo, hi), highest score first, as Redis ZREVRANGE: the entry with the
// highest score has reverse rank 0, and hi is not part of the interval: RevRange(0, 2) is the best two. Ranks that do not
// exist are left out. The member aliases the set. O(log n + hi - lo), no allocation.
func (v *ViewOf[S]) RevRange(lo, hi int) iter.Seq2[[]byte, S] {
	return func(yield func([]byte, S) bool) {
		lo, hi := v.Reverse(v.clamp(lo, hi))
		var w walk
		for w.descend(&v.core, lo, hi); w.next(); {
			if key, _, member := w.entry(); !yield(member, scoreOf[S](key)) {
				return
			}
		}
	}
}

// Entries walks the entries with ranks in [lo, hi), from 0 and without hi, lowest score first. Ranks that do not exist are left out. Member
// and tie alias the set. O(log n + hi - lo), no allocation.
func (v *ViewOf[S]) Entries(lo, hi int) iter.Seq[EntryOf[S]] {
	return func(yield func(EntryOf[S]) bool) {
		lo, hi := v.clamp(lo, hi)
		var w walk
		for w.ascend(&v.core, lo, hi); w.next(); {
			key, tie, member := w.entry()
			e := EntryOf[S]{Member: member, Score: scoreOf[S](key)}
			if len(tie) > 0 {
				e.Tie = tie
			}
			if !yield(e) {
				return
			}
		}
	}
}

// Append appends copies of the entries with ranks in [lo, hi), from 0 and without hi, to dst, lowest score first. Ranks that
// do not exist are left out. O(log n + hi - lo).
func (v *ViewOf[S]) Append(dst []EntryOf[S], lo, hi int) []EntryOf[S] {
	lo, hi = v.clamp(lo, hi)
	var w walk
	w.ascend(&v.core, lo, hi)
	return appendCopies(dst, &w, hi-lo)
}

// AppendAliases appends the entries with ranks in [lo, hi), as Append, but tie and member alias the set. It writes each entry in place, which takes less
// time than to copy what Entries yields. O(log n + hi - lo).
func (v *ViewOf[S]) AppendAliases(dst []EntryOf[S], lo, hi int) []EntryOf[S] {
	lo, hi = v.clamp(lo, hi)
	var w walk
	for w.ascend(&v.core, lo, hi); w.next(); {
		key, tie, member := w.entry()
		dst = append(dst, EntryOf[S]{})
		e := &dst[len(dst)-1]
		e.Member, e.Score = member, scoreOf[S](key)
		if len(tie) > 0 {
			e.Tie = tie
		}
	}
	return dst
}

// AppendRev appends copies of the entries with reverse ranks in [lo, hi), from 0 and without hi, to dst, highest score first.
// Ranks that do not exist are left out. O(log n + hi - lo).
func (v *ViewOf[S]) AppendRev(dst []EntryOf[S], lo, hi int) []EntryOf[S] {
	lo, hi = v.Reverse(v.clamp(lo, hi))
	var w walk
	w.descend(&v.core, lo, hi)
	return appendCopies(dst, &w, hi-lo)
}

// appendCopies appends copies of the n entries of a walk.
func appendCopies[S Score](dst []EntryOf[S], w *walk, n int) []EntryOf[S] {
	c := copier[S]{left: n}
	for dst = slices.Grow(dst, n); w.next(); {
		key, tie, member := w.entry()
		dst = c.append(dst, key, tie, member)
	}
	return dst
}

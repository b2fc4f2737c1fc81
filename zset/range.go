package zset

import (
	"iter"
	"math"
	"slices"
)

// Entry is a member with its score and tie, as handed out in copies.
type Entry struct {
	Member []byte
	Score  float64
	Tie    []byte // nil in a set without ties
}

// copier makes entries that do not alias the set. Their bytes stand side by side in blocks, so that a page of them costs a
// few allocations and not one each.
type copier struct {
	block []byte
	left  int // entries still to come, as far as is known
}

func (c *copier) entry(key uint64, tie, member []byte) Entry {
	n := len(tie) + len(member)
	if len(c.block)+n > cap(c.block) {
		c.block = make([]byte, 0, min(max(c.left, 1)*n, max(n, 8<<10)))
	}
	c.left--
	from := len(c.block)
	c.block = append(append(c.block, member...), tie...)
	text := c.block[from:len(c.block):len(c.block)]
	e := Entry{Member: text[:len(member):len(member)], Score: scoreOf(key)}
	if len(tie) > 0 {
		e.Tie = text[len(member):]
	}
	return e
}

// clamp makes [lo, hi) an interval of ranks that exist, empty if lo is not below hi.
func (v *View) clamp(lo, hi int) (int, int) {
	lo, hi = max(lo, 0), min(hi, v.Len())
	return min(lo, max(hi, 0)), max(hi, 0)
}

// Range walks the entries with ranks in [lo, hi), lowest score first, as Redis ZRANGE. Ranks that do not exist are left
// out. The member aliases the set. O(log n + hi - lo), no allocation.
func (v *View) Range(lo, hi int) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		lo, hi := v.clamp(lo, hi)
		v.ascend(lo, hi, func(key uint64, _, member []byte) bool { return yield(member, scoreOf(key)) })
	}
}

// RevRange walks the entries with reverse ranks in [lo, hi), highest score first, as Redis ZREVRANGE: the entry with the
// highest score has reverse rank 0. Ranks that do not exist are left out. The member aliases the set. O(log n + hi - lo), no
// allocation.
func (v *View) RevRange(lo, hi int) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		lo, hi := v.clamp(lo, hi)
		n := v.Len()
		v.descend(n-hi, n-lo, func(key uint64, _, member []byte) bool { return yield(member, scoreOf(key)) })
	}
}

// Append appends copies of the entries with ranks in [lo, hi) to dst, lowest score first. Ranks that do not exist are left
// out. O(log n + hi - lo).
func (v *View) Append(dst []Entry, lo, hi int) []Entry {
	lo, hi = v.clamp(lo, hi)
	c := copier{left: hi - lo}
	dst = slices.Grow(dst, hi-lo)
	v.ascend(lo, hi, func(key uint64, tie, member []byte) bool {
		dst = append(dst, c.entry(key, tie, member))
		return true
	})
	return dst
}

// Bound is an end of an interval of scores. Infinities are bounds like others.
type Bound struct {
	Score     float64
	Exclusive bool // the score itself is left out, as Redis's "(5"
}

// ScoreInterval returns the ranks [lo, hi) of the entries whose scores lie between two bounds; hi-lo is their number, as
// Redis ZCOUNT. Nothing lies between bounds in the wrong order, or a bound that is NaN. O(log n).
func (v *View) ScoreInterval(low, high Bound) (lo, hi int) {
	if math.IsNaN(low.Score) || math.IsNaN(high.Score) {
		return 0, 0
	}
	lo = v.countBelow(low.Score, low.Exclusive)
	hi = v.countBelow(high.Score, !high.Exclusive)
	return lo, max(lo, hi)
}

// countBelow returns the number of entries with a lower score, or with an equal one too. No score has the greatest key, so
// that key + 1 is a key.
func (v *View) countBelow(score float64, equal bool) int {
	key := keyOf(score)
	if equal {
		key++
	}
	return v.seek(key, nil)
}

// MemberBound is an end of an interval of members.
type MemberBound struct {
	Member    []byte
	Exclusive bool // the member itself is left out, as Redis's "(m"
}

// MemberInterval returns the ranks [lo, hi) of the entries whose members lie between two bounds, as Redis ZLEXCOUNT; a nil
// bound leaves that end open. It means something only in a set whose entries all have one score and one tie. O(log n).
func (v *View) MemberInterval(low, high *MemberBound) (lo, hi int) {
	lo, hi = 0, v.Len()
	if hi == 0 {
		return 0, 0
	}
	if low != nil {
		lo = v.countBeforeMember(low.Member, low.Exclusive)
	}
	if high != nil {
		hi = v.countBeforeMember(high.Member, !high.Exclusive)
	}
	return lo, max(lo, hi)
}

// countBeforeMember returns the number of entries before a member that had the score and tie of the first entry, or with
// that member too: nothing stands between a text and the same text with a zero byte after it.
func (v *View) countBeforeMember(member []byte, equal bool) (n int) {
	v.ascend(0, 1, func(key uint64, tie, _ []byte) bool {
		text := append(append(make([]byte, 0, 128), tie...), member...)
		if equal {
			text = append(text, 0)
		}
		n = v.seek(key, text)
		return false
	})
	return n
}

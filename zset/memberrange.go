package zset

import "bytes"

// A range by member is a walk along the order that compares members only, as Redis ZRANGEBYLEX: it begins with the first entry whose
// member is not before the lower bound, and ends before the first one from there on that is beyond the upper bound. Redis first looks at
// the far end: if the last entry is before the lower bound, the range is empty. Towards lower ranks all this is mirrored.
//
// Where all entries have one score and one tie, their order is that of their members: both ends are found by bisection, and both
// directions find the same entries. Elsewhere there is nothing to bisect.

// MemberBound is an end of an interval of members.
type MemberBound struct {
	Member    []byte
	Exclusive bool // the member itself is left out, as Redis's "(m"
}

// before returns a test for members that are before the range that b begins; nil if there are none.
func (b *MemberBound) before() func(member []byte) bool {
	if b == nil {
		return nil
	}
	return func(member []byte) bool {
		order := bytes.Compare(member, b.Member)
		return order < 0 || order == 0 && b.leftOut()
	}
}

// beyond returns a test for members that are beyond the range that b ends; nil if there are none.
func (b *MemberBound) beyond() func(member []byte) bool {
	if b == nil {
		return nil
	}
	return func(member []byte) bool {
		order := bytes.Compare(member, b.Member)
		return order > 0 || order == 0 && b.Exclusive
	}
}

// leftOut reports whether the member of a lower bound is left out.
func (b *MemberBound) leftOut() bool {
	return b.Exclusive
}

// MemberInterval returns the ranks [lo, hi) of the entries whose members lie between two bounds, as Redis ZLEXCOUNT; a nil bound leaves
// that end open. Where scores or ties are not all equal, these are the entries that Redis walks, not all whose members lie there:
// see MemberPage. O(log n), and there O(log n + hi).
func (v *ViewOf[S]) MemberInterval(low, high *MemberBound) (lo, hi int) {
	return v.MemberPage(low, high, 0, -1)
}

// MemberPage returns the part of MemberInterval that Redis ZRANGEBYLEX LIMIT offset count leaves: at most count entries after the
// first offset. A negative count means all of them, a negative offset none.
//
// Where scores or ties are not all equal, the order is walked from its beginning. The page begins offset entries after the first one
// that is not before low, and ends before the next one beyond high; the entries in between that offset leaves out are not compared.
// There is none if the last entry of all is before low. O(log n), and there O(log n + hi).
func (v *ViewOf[S]) MemberPage(low, high *MemberBound, offset, count int) (lo, hi int) {
	if key, tie, ok := v.oneScore(); ok {
		lo, hi = v.bisectMembers(key, tie, low, high)
		return Limit(lo, hi, offset, count)
	}
	return v.walkMembers(low.before(), high.beyond(), false, offset, count)
}

// RevMemberPage returns the reverse ranks [lo, hi) that Redis ZREVRANGEBYLEX walks with LIMIT offset count, for RevRange: MemberPage from
// the other end. Where scores or ties are not all equal, the page begins offset entries after the first one from the end that is not
// beyond high, and ends before the next one before low; there is none if the first entry of all is beyond high. O(log n), and there
// O(log n + hi).
func (v *ViewOf[S]) RevMemberPage(low, high *MemberBound, offset, count int) (lo, hi int) {
	if key, tie, ok := v.oneScore(); ok {
		lo, hi = v.Reverse(v.bisectMembers(key, tie, low, high))
		return Limit(lo, hi, offset, count)
	}
	return v.walkMembers(high.beyond(), low.before(), true, offset, count)
}

// bisectMembers returns the ranks between two bounds where all entries have one key and tie.
func (c *core) bisectMembers(key uint64, tie []byte, low, high *MemberBound) (lo, hi int) {
	text := append(make([]byte, 0, 128), tie...)
	if low != nil {
		lo = c.seekMember(key, append(text, low.Member...), low.leftOut())
	}
	if hi = c.len(); high != nil {
		hi = c.seekMember(key, append(text, high.Member...), !high.Exclusive)
	}
	return lo, max(lo, hi)
}

// seekMember returns the number of entries before (key, text), or with it too: nothing stands between a text and the same text with
// a zero byte after it.
func (c *core) seekMember(key uint64, text []byte, equal bool) int {
	if equal {
		text = append(text, 0)
	}
	return c.seek(key, text)
}

// walkMembers returns the ranks of a page, or the reverse ranks if the walk is reverse: early members are left out at its beginning, and
// the first late one ends it. Tests that are nil hold for no member.
func (c *core) walkMembers(early, late func(member []byte) bool, reverse bool, offset, count int) (lo, hi int) {
	n := c.len()
	if early != nil && c.run(n-1, n, reverse, early) == 1 {
		return 0, 0
	}
	if early != nil {
		lo = c.run(0, n, reverse, early)
	}
	if late != nil && c.run(lo, lo+1, reverse, late) == 1 {
		return 0, 0
	}
	lo, hi = Limit(lo, n, offset, count)
	if late != nil {
		hi = lo + c.run(lo, hi, reverse, func(member []byte) bool { return !late(member) })
	}
	return lo, hi
}

// run returns how many entries one after the other, from rank lo up to hi, pass a test; lo and hi are reverse ranks if the walk is
// reverse. O(log n + what it returns).
func (c *core) run(lo, hi int, reverse bool, test func(member []byte) bool) (n int) {
	count := func(_ uint64, _, member []byte) bool {
		if test(member) {
			n++
			return true
		}
		return false
	}
	if reverse {
		c.descend(c.len()-hi, c.len()-lo, count)
	} else {
		c.ascend(lo, hi, count)
	}
	return n
}

package zset

import "bytes"

// A range by member is a walk in the order of the set that compares members only, as Redis ZRANGEBYLEX. It begins with the first entry
// whose member is not before the lower bound. It ends before the next entry that is beyond the upper bound. Redis first checks the last
// entry of the set: if that is before the lower bound, the range is empty. The reverse walk does the same from the other end.
//
// If all entries have the same score and tie, they are ordered by member. Then both ends are found by bisection, and both directions
// find the same entries. In other sets the walk compares the entries one by one.

// MemberBound is an end of an interval of members.
type MemberBound struct {
	Member    []byte // the end
	Exclusive bool   // the member itself is left out, as Redis's "(m"
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

// MemberInterval returns the ranks [lo, hi) of the entries whose members lie between two bounds, as Redis ZLEXCOUNT. A nil bound leaves
// that end open. If scores or ties differ, it returns the entries that Redis walks, not all entries between the bounds: see MemberPage.
// O(log n), or O(log n + hi) if scores or ties differ.
func (v *ViewOf[S]) MemberInterval(low, high *MemberBound) (lo, hi int) {
	return v.MemberPage(low, high, 0, -1)
}

// MemberPage applies Redis ZRANGEBYLEX LIMIT offset count to MemberInterval: it skips offset entries and returns at most count of the
// others. A negative count means all of them, a negative offset none.
//
// If scores or ties differ, MemberPage walks the set from its beginning. The page begins offset entries after the first entry that is
// not before low, and ends before the next entry beyond high. It does not compare the skipped entries. The page is empty if the last
// entry of the set is before low. O(log n), or O(log n + hi) if scores or ties differ.
func (v *ViewOf[S]) MemberPage(low, high *MemberBound, offset, count int) (lo, hi int) {
	if key, tie, ok := v.oneScore(); ok {
		lo, hi = v.bisectMembers(key, tie, low, high)
		return Limit(lo, hi, offset, count)
	}
	return v.walkMembers(low.before(), high.beyond(), false, offset, count)
}

// RevMemberPage is MemberPage from the other end, as Redis ZREVRANGEBYLEX with LIMIT offset count. It returns reverse ranks [lo, hi),
// for RevRange. If scores or ties differ, the page begins offset entries after the first entry, from the end, that is not beyond high.
// It ends before the next entry that is before low. It is empty if the first entry of the set is beyond high. O(log n), or
// O(log n + hi) if scores or ties differ.
func (v *ViewOf[S]) RevMemberPage(low, high *MemberBound, offset, count int) (lo, hi int) {
	if key, tie, ok := v.oneScore(); ok {
		lo, hi = v.Reverse(v.bisectMembers(key, tie, low, high))
		return Limit(lo, hi, offset, count)
	}
	return v.walkMembers(high.beyond(), low.before(), true, offset, count)
}

// bisectMembers returns the ranks between two bounds in a set whose entries all have the given key and tie.
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

// seekMember returns the number of entries before (key, text); with equal, an entry with that text counts too. No text sorts between a
// text and the same text followed by a zero byte, so equal seeks the latter.
func (c *core) seekMember(key uint64, text []byte, equal bool) int {
	if equal {
		text = append(text, 0)
	}
	return c.seek(key, text)
}

// walkMembers returns the ranks of a page, or the reverse ranks if reverse is true. It skips members at the beginning while early is
// true for them, and ends at the first member for which late is true. A nil test is true for no member.
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

// run returns how many consecutive entries pass a test, from rank lo up to hi. With reverse, lo and hi are reverse ranks. O(log n +
// result).
func (c *core) run(lo, hi int, reverse bool, test func(member []byte) bool) (n int) {
	var w walk
	if reverse {
		w.descend(c, c.len()-hi, c.len()-lo)
	} else {
		w.ascend(c, lo, hi)
	}
	for ; w.next(); n++ {
		if _, _, member := w.entry(); !test(member) {
			break
		}
	}
	return n
}

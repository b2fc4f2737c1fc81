package model

import "slices"

// MemberPage returns the ranks [lo, hi) that Redis ZRANGEBYLEX walks. The walk begins offset entries after the first member that is not
// before the lower bound. It ends after count entries, or before the first member beyond the upper bound. A negative count is no limit.
// If the last member is before the lower bound, the result is empty.
func (s *SetOf[S]) MemberPage(before, beyond func(member string) bool, offset, count int) (lo, hi int) {
	return page(s.All(), before, beyond, offset, count)
}

// RevMemberPage returns the reverse ranks that Redis ZREVRANGEBYLEX walks: MemberPage from the other end.
func (s *SetOf[S]) RevMemberPage(before, beyond func(member string) bool, offset, count int) (lo, hi int) {
	all := s.All()
	slices.Reverse(all)
	return page(all, beyond, before, offset, count)
}

// page returns the part [lo, hi) of all that MemberPage describes: it skips members at the beginning while early is true for them, and
// ends at the first member for which late is true.
func page[S float64 | int64](all []EntryOf[S], early, late func(member string) bool, offset, count int) (lo, hi int) {
	n := len(all)
	if n == 0 || early(all[n-1].Member) {
		return 0, 0
	}
	for early(all[lo].Member) {
		lo++
	}
	if late(all[lo].Member) || offset < 0 || offset > n-lo {
		return 0, 0
	}
	lo += offset // Redis compares none of these
	for hi = lo; hi < n && hi-lo != count && !late(all[hi].Member); hi++ {
	}
	return lo, hi
}

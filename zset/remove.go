package zset

// Remove deletes a member, as Redis ZREM, and reports whether it was there. O(log n).
func (s *SetOf[S]) Remove(member []byte) bool {
	h, ok := s.find(member)
	if ok {
		s.delete(h)
		s.changed()
	}
	return ok
}

// RemoveRange deletes the entries with ranks in [lo, hi), from 0 and without hi, and returns their number: as Redis
// ZREMRANGEBYRANK with the interval of RankInterval, ZREMRANGEBYSCORE with that of ScoreInterval, ZREMRANGEBYLEX with that of
// MemberInterval. Ranks that do not exist are left out. O(log n + hi - lo), and O(1) if nothing is left. To bound the time of a call,
// remove a large range in parts.
func (s *SetOf[S]) RemoveRange(lo, hi int) int {
	lo, hi = s.clamp(lo, hi)
	if lo < hi {
		s.removeRange(lo, hi)
		s.changed()
	}
	return hi - lo
}

// PopMin removes up to n entries with the lowest scores, as Redis ZPOPMIN, and appends copies of them to dst, lowest first.
// O(log Len + n).
func (s *SetOf[S]) PopMin(dst []EntryOf[S], n int) []EntryOf[S] {
	dst = s.Append(dst, 0, n)
	s.RemoveRange(0, n)
	return dst
}

// PopMax removes up to n entries with the highest scores, as Redis ZPOPMAX, and appends copies of them to dst, highest
// first. O(log Len + n).
func (s *SetOf[S]) PopMax(dst []EntryOf[S], n int) []EntryOf[S] {
	dst = s.AppendRev(dst, 0, n)
	s.RemoveRange(s.Reverse(s.clamp(0, n)))
	return dst
}

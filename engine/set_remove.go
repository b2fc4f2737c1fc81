package engine

import "github.com/zrankdb/zrank/zset"

// Remove is zset.Set.Remove. O(log n). Errors: ErrReadOnly, ErrTxDone.
func (s *Set) Remove(member []byte) (removed bool, err error) {
	err = s.change(member, func() error { removed = s.s.z.Remove(member); return nil })
	return removed, err
}

// RemoveRange is zset.Set.RemoveRange: it deletes the entries with ranks in [lo, hi), those of RankInterval, ScoreInterval or
// MemberInterval, and returns their number. The transaction remembers each of them, about 100 bytes and the member, and the
// commit names each: who clears a big set does it in several transactions. O(log n + hi - lo). Errors: ErrReadOnly, ErrTxDone.
func (s *Set) RemoveRange(lo, hi int) (removed int, err error) {
	if err := s.writable(); err != nil {
		return 0, err
	}
	var some []zset.Entry
	for at := max(lo, 0); at < min(hi, s.Len()); at += len(some) {
		some = s.Append(some[:0], at, min(hi, at+rememberStep))
		s.touched.rememberAll(some)
	}
	return s.take(lo, hi), nil
}

// take removes entries that are remembered.
func (s *Set) take(lo, hi int) (removed int) {
	removed = s.s.z.RemoveRange(lo, hi)
	s.s.version += uint64(removed)
	return removed
}

// rememberStep is how many entries are copied out at a time.
const rememberStep = 1024

// PopMin removes up to n entries with the lowest scores and returns copies of them, lowest first: zset.Set.PopMin.
// O(log Len + n). Errors: ErrReadOnly, ErrTxDone.
func (s *Set) PopMin(n int) ([]zset.Entry, error) {
	if err := s.writable(); err != nil {
		return nil, err
	}
	popped := s.Append(nil, 0, n)
	s.touched.rememberAll(popped)
	s.take(0, len(popped))
	return popped, nil
}

// PopMax removes up to n entries with the highest scores and returns copies of them, highest first: zset.Set.PopMax.
// O(log Len + n). Errors: ErrReadOnly, ErrTxDone.
func (s *Set) PopMax(n int) ([]zset.Entry, error) {
	if err := s.writable(); err != nil {
		return nil, err
	}
	popped := s.AppendRev(nil, 0, n)
	s.touched.rememberAll(popped)
	s.take(s.Len()-len(popped), s.Len())
	return popped, nil
}

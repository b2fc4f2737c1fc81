package rolling

import (
	"slices"

	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// Expire removes the results that have left by a time, in microseconds after 1970, but at most limit of them. It reports whether more have
// left. O(log n) for each.
func (s *Sets) Expire(now int64, limit int) (more bool, err error) {
	var name []byte
	for s.head() <= now {
		if limit <= 0 {
			return true, nil
		}
		for x := range s.timers.Entries(0, 1) {
			name = append(name[:0], x.Member...)
		}
		n, err := s.expireMember(name, now, limit)
		if err != nil {
			return false, err
		}
		limit -= max(n, 1)
	}
	return false, nil
}

// expireMember removes the results of a member that have left, at most limit of them, and computes its entry from those that remain. It
// returns the number of removed results.
func (s *Sets) expireMember(member []byte, now int64, limit int) (n int, err error) {
	number, _, _ := s.timer(member)
	score, tie, _ := s.entries.Get(member)
	entry := s.st.Rules.Decode(score, tie)
	lo := s.results.Seek(number, nil)
	exact, remains := true, false
	var next result
	for x := range s.results.Entries(lo, lo+limit+1) {
		if x.Score != number {
			break
		}
		if n == limit || leavesOf(x.Member) > now {
			next, remains = s.decode(x.Member), true
			break
		}
		if n++; s.sums && exact {
			var left rules.Score
			if left, exact = s.st.Rules.Subtract(entry.Score, s.decode(x.Member).entry.Score); exact {
				entry.Score = left
			}
		}
	}
	if _, err := s.results.RemoveRange(lo, lo+n); err != nil {
		return n, err
	}
	switch {
	case !remains:
		return n, s.forget(member)
	case !s.sums:
		entry = next.entry
	case !exact:
		entry.Score = s.total(number, lo)
	}
	if err := s.setTimer(member, number, next.leaves); err != nil {
		return n, err
	}
	var tieArray [rules.MaxTie]byte
	score, tie = s.st.Rules.Encode(tieArray[:0], entry)
	_, err = s.entries.Put(member, slices.Clip(tie), score)
	return n, err
}

// forget removes a member whose last result has left from the ranking.
func (s *Sets) forget(member []byte) error {
	if _, err := s.timers.Remove(member); err != nil {
		return err
	}
	if _, err := s.entries.Remove(member); err != nil || s.st.Spec.MaxMeta == 0 {
		return err
	}
	return s.tx.Delete(boardkey.Meta(s.st.Name, s.t.Window.Name, period, string(member)))
}

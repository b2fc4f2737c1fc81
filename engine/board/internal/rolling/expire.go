package rolling

import (
	"encoding/binary"

	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// Due is when the next result leaves a rolling window, as a transaction has found it. The zero Due is that of one that had nothing to find.
type Due struct {
	roll  *state.Roll
	begun uint64
	first int64
}

// Raise notes it, once the transaction has been committed: see state.Roll.
func (d Due) Raise() {
	if d.roll != nil {
		d.roll.Raise(d.begun, d.first)
	}
}

// begin finds when the next result leaves.
func (s *Sets) begin() Due { return Due{s.t.Roll, s.t.Roll.Begin(), s.head()} }

// Expire removes the results that have left by the time of the transaction, but at most limit of them. It reports whether more have left. The
// caller calls Due.Raise after the commit. O(1) if nothing is due, else O(log n) for each result.
func (s *Sets) Expire(limit int) (d Due, more bool, err error) {
	now := s.tx.Now().UnixMicro()
	if now < s.t.Roll.Next() {
		return Due{}, false, nil
	}
	for limit > 0 && s.head() <= now {
		n, err := s.expireFirst(now, limit)
		if err != nil {
			return Due{}, false, err
		}
		limit -= max(n, 1)
	}
	d = s.begin()
	return d, d.first <= now, nil
}

// expireFirst removes the results that have left of the member whose timer is the first, at most limit of them, and computes its entry from those
// that remain. It returns the number of removed results.
func (s *Sets) expireFirst(now int64, limit int) (n int, err error) {
	var number int64
	for x := range s.timers.Entries(0, 1) {
		number = int64(binary.BigEndian.Uint64(x.Tie))
		s.member = append(s.member[:0], x.Member...)
	}
	lo := s.results.Seek(number, nil)
	exact, remains := true, false
	var entry rules.Entry
	if s.sums {
		score, tie, _ := s.entries.Get(s.member)
		entry = s.st.Rules.Decode(score, tie)
	}
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
		return n, s.forget()
	case !s.sums:
		entry = next.entry
	case !exact:
		entry.Score = s.total(number, lo)
	}
	return n, s.replace(number, entry, next.leaves)
}

// replace stores another entry of the present member, whose first result leaves at a time.
func (s *Sets) replace(number int64, entry rules.Entry, leaves int64) error {
	if err := s.setTimer(s.member, number, leaves); err != nil {
		return err
	}
	score, tie := s.st.Rules.Encode(s.tie[:0], entry)
	_, err := s.entries.Put(s.member, tie, score)
	return err
}

// forget removes the present member, whose last result has left, from the ranking.
func (s *Sets) forget() error {
	if _, err := s.timers.Remove(s.member); err != nil {
		return err
	}
	if _, err := s.entries.Remove(s.member); err != nil || s.st.Spec.MaxMeta == 0 {
		return err
	}
	return s.tx.Delete(boardkey.Meta(s.st.Name, s.t.Window.Name, period, string(s.member)))
}

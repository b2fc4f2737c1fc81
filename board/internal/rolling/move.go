package rolling

import (
	"encoding/binary"

	"github.com/zrankdb/zrank/board/rules"
)

// Move gives the results of a member to another one, as if that one had submitted them at the times at which they happened, and returns the entry that it has
// then. Both have entries in the ranking, or the first one only; the caller changes the ranking. O(results log n). Errors: rules.ErrOverflow, and then nothing
// has changed, or those of the engine.
func (s *Sets) Move(from, into []byte) (next rules.Entry, err error) {
	number, leaves, _ := s.timer(from)
	old := s.entry(from)
	to, first, has := s.timer(into)
	if has && s.sums {
		if old, err = s.sum(s.entry(into), old); err != nil {
			return next, err
		}
	}
	if _, err := s.timers.Remove(from); err != nil {
		return next, err
	}
	if !has { // the number goes with the timer
		return old, s.setTimer(into, number, leaves)
	}
	lo, hi := s.interval(number)
	moved := make([]result, 0, hi-lo)
	for x := range s.results.Entries(lo, hi) {
		moved = append(moved, s.decode(x.Member))
	}
	if _, err := s.results.RemoveRange(lo, hi); err != nil {
		return next, err
	}
	was := first
	for _, r := range moved {
		if first, err = s.take(to, first, r); err != nil {
			return next, err
		}
	}
	if first != was {
		err = s.setTimer(into, to, first)
	}
	if s.sums || err != nil {
		return old, err
	}
	r, _ := s.at(s.seek(to, first), to)
	return r.entry, err
}

// entry returns the entry of a member in the ranking. O(1).
func (s *Sets) entry(member []byte) rules.Entry {
	score, tie, _ := s.entries.Get(member)
	return s.st.Rules.Decode(score, tie)
}

// sum returns the entry of two members together. Error: rules.ErrOverflow.
func (s *Sets) sum(into, from rules.Entry) (next rules.Entry, err error) {
	if err := s.Refuses(into, true); err != nil {
		return next, err
	}
	if err := s.Refuses(from, true); err != nil {
		return next, err
	}
	next, _, err = s.st.Rules.Merge(into, nil, from, from.Reached)
	return next, err
}

// take stores a result of another member as one of a member whose first result leaves at a time, and returns when its first result leaves then.
func (s *Sets) take(number, first int64, r result) (int64, error) {
	switch {
	case s.sums:
		return min(first, r.leaves), s.addSum(number, r)
	case s.st.Rules.Timed() == 0:
		return s.addPick(number, r, first)
	}
	present, _ := s.at(s.seek(number, first), number)
	times := binary.BigEndian.AppendUint64(nil, uint64(present.at))
	also := rules.Entry{Score: r.entry.Score, Reached: r.at, Arrival: r.entry.Arrival}
	next, _, err := s.st.Rules.Merge(present.entry, times, also, r.at)
	if err != nil {
		return first, err
	}
	return s.addTimed(number, r, first, next)
}

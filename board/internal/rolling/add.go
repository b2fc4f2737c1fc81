package rolling

import (
	"math"

	"github.com/zrankdb/zrank/board/rules"
)

// Add stores a result of a member that happened at sub.Reached and has not left. next is what Rules.Apply has made of the member's entry and
// sub; the caller stores it in the ranking. O(log n) amortized over the results. Errors: those of the engine.
func (s *Sets) Add(member []byte, sub, next rules.Entry) error {
	r := result{leaves: s.t.Leaves(sub.Reached), at: sub.Reached}
	var err error
	if r.entry, _, err = s.st.Rules.Apply(rules.Entry{}, false, sub); err != nil {
		return err
	}
	number, first, ranked := s.timer(member)
	if !ranked {
		number, first = s.newNumber(), math.MaxInt64
	}
	was := first
	switch {
	case s.sums:
		err = s.addSum(number, r)
		first = min(first, r.leaves)
	case s.st.Rules.Timed() > 0:
		first, err = s.addTimed(number, r, first, next)
	default:
		first, err = s.addPick(number, r, first)
	}
	if err != nil || first == was {
		return err
	}
	return s.setTimer(member, number, first)
}

// addSum stores a result that is a part of a sum. If another leaves at the same time, it stores their sum in their place, unless that is out of
// range.
func (s *Sets) addSum(number int64, r result) error {
	rank, had, err := s.insert(number, r)
	if err != nil {
		return err
	}
	lo, hi := rank, rank+1 // of the results that leave at the same time
	other := r.entry.Score
	if !had {
		if lo, hi, other = s.beside(number, r.leaves, rank); hi-lo < 2 {
			return nil
		}
	}
	sum, ok := s.st.Rules.Add(other, r.entry.Score)
	switch {
	case ok:
		if _, err := s.results.RemoveRange(lo, hi); err != nil {
			return err
		}
		r.entry.Score = sum
		if _, had, err = s.insert(number, r); err != nil || !had {
			return err
		}
	case !had:
		return nil
	}
	r.unlike = s.Version() // the same result is there, and the sum of the two is out of range
	_, _, err = s.insert(number, r)
	return err
}

// beside returns the ranks [lo, hi) of a member's results that leave at a time, one of which has a rank, and the score of the other one if there is
// one. O(log n).
func (s *Sets) beside(number, leaves int64, rank int) (lo, hi int, other rules.Score) {
	lo, hi = rank, rank+1
	at := max(rank-1, 0)
	for x := range s.results.Entries(at, rank+2) {
		if at != rank && x.Score == number && leavesOf(x.Member) == leaves {
			lo, hi, other = min(lo, at), max(hi, at+1), s.decode(x.Member).entry.Score
		}
		at++
	}
	return lo, hi, other
}

// addTimed stores a result of an operator that goes by the times of results. If it is the member's entry from now on, it is stored with next: one that
// repeats the score keeps the time at which the member came to it. first is when the first of the member's results leaves, before the call and after it.
func (s *Sets) addTimed(number int64, r result, first int64, next rules.Entry) (int64, error) {
	counts := true
	if first < math.MaxInt64 {
		present, _ := s.at(s.seek(number, first), number)
		counts = s.precedes(r, present)
	}
	if counts {
		r.entry = next
	}
	if s.st.Rules.Picks() != rules.Last {
		return s.addPick(number, r, first)
	}
	if !counts { // it leaves before the entry does
		return first, nil
	}
	lo, hi := s.interval(number)
	return s.exchange(number, lo, hi, r)
}

// precedes reports whether the operator takes a result that arrives rather than a stored one.
func (s *Sets) precedes(r, stored result) bool {
	if s.st.Rules.Picks() == rules.Last {
		return r.at >= stored.at
	}
	return r.at < stored.at
}

// addPick stores a result that may be the entry by itself, unless one that does not leave earlier wins over it. It removes those that the result
// wins over and that do not leave later: they cannot be the entry any more. first is when the first of the member's results leaves, before the
// call and after it.
func (s *Sets) addPick(number int64, r result, first int64) (int64, error) {
	lo := s.seek(number, r.leaves)
	hi := lo
	if same, ok := s.at(hi, number); ok {
		wins, err := s.wins(r, same)
		if err != nil || !wins {
			return first, err
		}
		if same.leaves == r.leaves {
			hi++
		}
	}
	for first < r.leaves { // there are results before it
		before, ok := s.at(lo-1, number)
		if !ok {
			break
		}
		wins, err := s.wins(r, before)
		if err != nil {
			return first, err
		}
		if !wins {
			_, err := s.exchange(number, lo, hi, r)
			return first, err
		}
		lo--
	}
	return s.exchange(number, lo, hi, r)
}

// exchange stores a result in place of those with the ranks [lo, hi), and returns when it leaves.
func (s *Sets) exchange(number int64, lo, hi int, r result) (leaves int64, err error) {
	if lo < hi {
		if _, err := s.results.RemoveRange(lo, hi); err != nil {
			return 0, err
		}
	}
	_, _, err = s.insert(number, r)
	return r.leaves, err
}

// wins reports whether a result that arrives takes the place of a stored one as the member's entry.
func (s *Sets) wins(r, stored result) (bool, error) {
	if s.st.Rules.Timed() > 0 {
		return s.precedes(r, stored), nil
	}
	r.entry.Score = s.st.Rules.Submitted(r.entry.Score)
	_, changed, err := s.st.Rules.Apply(stored.entry, true, r.entry)
	return changed, err
}

// Refuses returns an error if a result cannot be added to a member's entry: a sum at an end of its range may stand for one beyond it.
func (s *Sets) Refuses(old rules.Entry, had bool) error {
	if s.sums && had && s.st.Rules.AtEnd(old.Score) {
		return rules.ErrOverflow
	}
	return nil
}

// Remove removes the results of a member. The caller removes its entry. O(log n + results).
func (s *Sets) Remove(member []byte) error {
	number, _, ok := s.timer(member)
	if !ok {
		return nil
	}
	if _, err := s.results.RemoveRange(s.interval(number)); err != nil {
		return err
	}
	_, err := s.timers.Remove(member)
	return err
}

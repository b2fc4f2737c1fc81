package rolling

import "github.com/zrankdb/zrank/engine/board/rules"

// Add stores a result of a member that happened at sub.Reached and has not left. next is what Rules.Apply has made of the member's entry and
// sub; the caller stores it in the ranking. O(log n) amortized over the results. Errors: rules.ErrOverflow, those of the engine.
func (s *Sets) Add(member []byte, sub, next rules.Entry) error {
	r := result{leaves: s.t.Leaves(sub.Reached)}
	var err error
	if r.entry, _, err = s.st.Rules.Apply(rules.Entry{}, false, sub); err != nil {
		return err
	}
	number, first, ranked := s.timer(member)
	if !ranked {
		number = int64(s.timers.Version()) // rises with every new timer, so no two members have the same
	}
	if s.sums {
		err = s.addSum(number, r)
	} else {
		err = s.addPick(number, r, next)
	}
	if err != nil {
		return err
	}
	if s.sums && ranked && first <= r.leaves {
		return nil
	}
	if now, ok := s.at(s.results.Seek(number, nil), number); ok && (!ranked || now.leaves != first) {
		return s.setTimer(member, number, now.leaves)
	}
	return nil
}

// addSum stores a result that is a part of a sum. It adds it to that which leaves at the same time, if there is one.
func (s *Sets) addSum(number int64, r result) error {
	rank := s.seek(number, r.leaves)
	if same, ok := s.at(rank, number); ok && same.leaves == r.leaves {
		if r.entry.Score, ok = s.st.Rules.Add(same.entry.Score, r.entry.Score); !ok {
			return rules.ErrOverflow
		}
		if _, err := s.results.RemoveRange(rank, rank+1); err != nil {
			return err
		}
	}
	return s.insert(number, r)
}

// addPick stores a result that may be the member's entry by itself, and removes those that it wins over and that do not leave later: they
// cannot be the entry any more.
func (s *Sets) addPick(number int64, r result, next rules.Entry) error {
	lo := s.seek(number, r.leaves)
	hi := lo
	if s.st.Rules.Op() == rules.Last {
		if next.Score != r.entry.Score {
			return nil // it is older than the entry
		}
		r.entry = next // a result that repeats the score keeps the time at which the member came to it
		lo = s.results.Seek(number, nil)
	}
	if same, ok := s.at(hi, number); ok {
		wins, err := s.wins(r, same)
		if err != nil || !wins {
			return err
		}
		if same.leaves == r.leaves {
			hi++
		}
	}
	for s.st.Rules.Op() != rules.Last {
		before, ok := s.at(lo-1, number)
		if !ok {
			break
		}
		wins, err := s.wins(r, before)
		if err != nil {
			return err
		}
		if !wins {
			break
		}
		lo--
	}
	if _, err := s.results.RemoveRange(lo, hi); err != nil {
		return err
	}
	return s.insert(number, r)
}

// wins reports whether a result that arrives takes the place of a stored one as the member's entry.
func (s *Sets) wins(r, stored result) (bool, error) {
	if s.st.Rules.Op() == rules.Last {
		return true, nil
	}
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

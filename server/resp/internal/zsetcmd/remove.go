package zsetcmd

import "github.com/zrankdb/zrank/engine"

// A set that a command leaves empty vanishes, and its expiry with it: if a later command of the same transaction creates the set again, it has
// no expiry. The engine drops empty sets only at the end of a transaction, so these functions remove the expiry before the last member.

// remove removes a member of a set, and reports whether the set had it.
func remove(s *engine.Set, member []byte) (bool, error) {
	if s.Len() == 1 {
		if _, ok := s.Score(member); !ok {
			return false, nil
		}
		if _, err := s.Persist(); err != nil {
			return false, err
		}
	}
	return s.Remove(member)
}

// removeRange removes the entries with ranks [lo, hi), and returns their number.
func removeRange(s *engine.Set, lo, hi int) (int, error) {
	if lo == 0 && hi == s.Len() {
		if _, err := s.Persist(); err != nil {
			return 0, err
		}
	}
	return s.RemoveRange(lo, hi)
}

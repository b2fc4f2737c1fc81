package rolling

import (
	"encoding/binary"

	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/rules"
)

// A journal takes results back, the newest first. A result that Add stores removes some of the
// others, so the row of the journal has what was stored around it: Around. Undo puts that back in
// the place of the result, and so brings back the results as they were, but for those that have left
// since by themselves. Of these only the ones beside a result count: in a sum they say whether the
// member was ranked, and with First which result was the first. The row has the one on either side.

// Around returns the stored form of results of a member: those that a result, which comes next, may
// remove, those that leave with it, and the one on either side. O(log n) for each. Errors: those of
// rules.Apply.
func (s *Sets) Around(member []byte, sub rules.Entry) (around []byte, err error) {
	number, _, ranked := s.timer(member)
	if !ranked {
		return nil, nil
	}
	r := result{leaves: s.t.Leaves(sub.Reached), at: sub.Reached}
	if r.entry, _, err = s.st.Rules.Apply(rules.Entry{}, false, sub); err != nil {
		return nil, err
	}
	lo, hi := s.seek(number, r.leaves), s.seek(number, r.leaves+1)
	for wins := !s.sums; wins; {
		before, ok := s.at(lo-1, number)
		if !ok {
			break
		}
		if wins, err = s.wins(r, before); err != nil {
			return nil, err
		}
		if wins {
			lo--
		}
	}
	for x := range s.results.Entries(max(lo-1, 0), hi+1) {
		if x.Score == number {
			around = append(append(around, byte(len(x.Member))), x.Member...)
		}
	}
	return around, nil
}

// Undo takes back the Add of a result that happened at a time. around is what Around returned before
// it. All later ones have been taken back. Entries in the ranking stay. O(log n) for each result
// around. Errors: those of the engine.
func (s *Sets) Undo(member []byte, at int64, around []byte) error {
	number, _, ranked := s.timer(member)
	if !ranked {
		number = s.newNumber()
	}
	leaves := s.t.Leaves(at)
	if _, err := s.results.RemoveRange(s.seek(number, leaves), s.seek(number, leaves+1)); err != nil {
		return err
	}
	for len(around) > 0 && len(around) > int(around[0]) {
		name := append(s.name[:0], around[1:1+around[0]]...)
		around = around[1+around[0]:]
		if len(name) < nameWidth {
			continue
		}
		binary.BigEndian.PutUint64(name[wordWidth:], uint64(number)) // it may have had another one then
		if _, err := s.results.Put(name, nil, number); err != nil {
			return err
		}
	}
	return s.resetTimer(member, number)
}

// Leave removes the results of a member that have left by a time, and returns the entry of those
// that remain, and false if there are none. Of a sum was is the entry before: it has the times of
// that, and the score if it is asked for. O(log n + results that leave); with the score of a sum
// O(results). Errors: those of the engine.
func (s *Sets) Leave(member []byte, now int64, was rules.Entry, score bool) (e rules.Entry, remains bool, err error) {
	number, _, ranked := s.timer(member)
	if !ranked {
		return e, false, nil
	}
	lo := s.results.Seek(number, nil)
	if hi := s.seek(number, now+1); lo < hi {
		if _, err := s.results.RemoveRange(lo, hi); err != nil {
			return e, false, err
		}
		if err := s.resetTimer(member, number); err != nil {
			return e, false, err
		}
	}
	first, remains := s.at(lo, number)
	if !s.sums || !remains {
		return first.entry, remains, nil
	}
	parts := lo
	if !score {
		parts = s.results.Len()
	}
	was.Score = s.total(number, parts)
	return was, true, nil
}

// AddAgain adds a result to an entry as Leave returns it, and returns the next one. O(log n). Errors:
// those of the rules and of the engine.
func (s *Sets) AddAgain(member []byte, was rules.Entry, had bool, sub rules.Entry) (next rules.Entry, err error) {
	if next, _, _, _, err = entry.Apply(s.st.Rules, was, had, s.Times(member), sub); err != nil {
		return next, err
	}
	return next, s.Add(member, sub, next)
}

// resetTimer sets the timer of a member to its first result, or removes it. O(log n).
func (s *Sets) resetTimer(member []byte, number int64) error {
	if first, ok := s.at(s.results.Seek(number, nil), number); ok {
		return s.setTimer(member, number, first.leaves)
	}
	_, err := s.timers.Remove(member)
	return err
}

package board

import (
	"encoding/binary"
	"math"
)

// entry is what a board knows of a member: a score, when it was reached, and what came in before.
type entry struct {
	score   float64
	reached int64  // of the submission that made the score; microseconds since 1970
	arrival uint64 // rises with every change to the ranking
}

// apply is the whole rule of a board, a pure function: what becomes of an entry when a submission meets it, and whether
// anything does. had is false for a member without an entry. Errors: ErrScore for a sum that overflows.
//
// A sum is reached when the latest of its submissions happened, so a late one cannot make it seem older. The same best
// score submitted late, but reached earlier, counts from then where that helps the member; elsewhere an equal score changes
// nothing (B2).
func (s *Spec) apply(old entry, had bool, sub entry) (entry, bool, error) {
	if !had {
		return sub, true, nil
	}
	switch s.Op {
	case Sum:
		sub.score += old.score
		sub.reached = max(sub.reached, old.reached)
		if math.IsInf(sub.score, 0) {
			return old, false, ErrScore
		}
	case Best:
		if s.better(old.score, sub.score) {
			return old, false, nil
		}
		if sub.score == old.score {
			return sub, s.Ties == FirstToReach && sub.reached < old.reached, nil
		}
	}
	return sub, sub.score != old.score, nil
}

// better reports whether a is a better score than b.
func (s *Spec) better(a, b float64) bool {
	if s.Order == Asc {
		return a < b
	}
	return a > b
}

// stored turns a score into what the set keeps, and back: sets are best first, so a descending board negates. Negation is
// exact, and the zset makes -0 a 0 again.
func (s *Spec) stored(score float64) float64 {
	if s.Order == Asc {
		return score
	}
	return -score
}

// tieWidth is 16 where ties go by time: when the score was reached, and the arrival.
func (s *Spec) tieWidth() int {
	if s.Ties == ByMember {
		return 0
	}
	return 16
}

// tie writes what orders equal scores: ascending bytes stand first. The sign bit of the time is flipped, so that times
// before 1970 come before those after; for LastToReach all bits are.
func (s *Spec) tie(dst *[16]byte, e entry) []byte {
	reached, arrival := uint64(e.reached)^1<<63, e.arrival
	if s.Ties == LastToReach {
		reached, arrival = ^reached, ^arrival
	}
	binary.BigEndian.PutUint64(dst[:8], reached)
	binary.BigEndian.PutUint64(dst[8:], arrival)
	return dst[:s.tieWidth()]
}

// read is the inverse of stored and tie. An entry of a board whose ties go by member has no time.
func (s *Spec) read(stored float64, tie []byte) entry {
	e := entry{score: s.stored(stored) + 0}
	if len(tie) == 16 {
		reached := binary.BigEndian.Uint64(tie[:8])
		e.arrival = binary.BigEndian.Uint64(tie[8:])
		if s.Ties == LastToReach {
			reached, e.arrival = ^reached, ^e.arrival
		}
		e.reached = int64(reached ^ 1<<63)
	}
	return e
}

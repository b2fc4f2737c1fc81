package engine

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"slices"

	"github.com/anishathalye/porcupine"
)

// A history has the calls that clients made on two small sets and one private key, and the answers. It is linearizable if all answers are
// explained by some order of the calls that agrees with the times of calls and returns: then each call behaves as if it happened at one moment.
// An advance of the clock is a call too.

const (
	linearSize   = 8
	linearScores = 5
)

var linearKeys = []string{"a", "b"}

// linearScoresOf has the score + 1 of each member; 0 means absent.
type linearScoresOf [linearSize]int16

// linearState is the two sets, their expiries (0: never), the clock and the private key.
type linearState struct {
	scores  [2]linearScoresOf
	expires [2]int16
	now     int16
	moves   int16
}

// linearOp is a call. kind is a name below; set, member and n are its arguments.
type linearOp struct {
	kind   string
	set    int
	member int
	n      int
	ints   bool // the sets have int64 scores
	brief  bool // a read of one set is a brief View, which may be a guest of a transaction
	unsure bool // a crash cut it off: it may have happened or not
}

// An operation that is listed more often is chosen more often.
var (
	linearReads   = []string{"score", "rank", "range", "count", "both", "both", "exists", "expiry", "union", "diff"}
	linearMembers = []string{"add", "add", "add", "add", "add", "nx", "nx", "gt", "gt", "incr", "incr", "remove", "move", "move", "swap", "swap"}
	linearSets    = slices.Concat(linearMembers, []string{"expect", "expect", "expect score", "expect absent", "pop max", "wait", "wait", "drop",
		"drop both", "rename", "rename if absent", "expire", "expire", "persist", "advance", "advance"})
	linearAll = slices.Concat(linearSets, []string{"copy", "copy inside", "union store", "diff store", "range store"})
)

func randomOp(rng *rand.Rand, writes []string) linearOp {
	kinds := writes
	if rng.IntN(2) == 0 {
		kinds = linearReads
	}
	return linearOp{kind: kinds[rng.IntN(len(kinds))], set: rng.IntN(2), member: rng.IntN(linearSize), n: rng.IntN(linearScores), brief: rng.IntN(2) == 0}
}

func (op linearOp) reads() bool { return slices.Contains(linearReads, op.kind) }

func (op linearOp) name() []byte { return []byte{'m', byte('0' + op.member)} }

// order returns the members of a set in order.
func (s *linearScoresOf) order() (members []int) {
	for m, score := range s {
		if score != 0 {
			members = append(members, m)
		}
	}
	slices.SortStableFunc(members, func(a, b int) int { return int(s[a]) - int(s[b]) })
	return members
}

// text returns entries as linearEntries does for the engine.
func (s *linearScoresOf) text(lo, hi int) (text string) {
	members := s.order()
	for _, m := range members[min(lo, len(members)):min(hi, len(members))] {
		text += s.entry(m)
	}
	return text
}

func (s *linearScoresOf) entry(m int) string { return fmt.Sprintf("m%d=%d ", m, s[m]-1) }

// size is the number of members.
func (s *linearScoresOf) size() int { return len(s.order()) }

// step applies an operation to the model and returns the answer.
func (st *linearState) step(op linearOp) (answer string) {
	if op.reads() {
		return st.look(op)
	}
	switch op.kind {
	case "drop", "drop both", "rename", "rename if absent", "copy", "copy inside", "expire", "persist", "advance":
		answer = st.manage(op)
	case "union store", "diff store", "range store":
		answer = st.store(op)
	default:
		answer = st.change(op)
	}
	for i := range st.scores {
		if st.expires[i] != 0 && st.expires[i] <= st.now {
			st.scores[i] = linearScoresOf{}
		}
		if st.scores[i] == (linearScoresOf{}) {
			st.expires[i] = 0
		}
	}
	return answer
}

// look is step for operations that only read.
func (st *linearState) look(op linearOp) string {
	s, other := &st.scores[op.set], &st.scores[1-op.set]
	score, n := s[op.member], int16(op.n)+1
	switch op.kind {
	case "score":
		return fmt.Sprint(score-1, score != 0)
	case "rank":
		return fmt.Sprint(slices.Index(s.order(), op.member))
	case "range":
		return s.text(0, op.n)
	case "count":
		count := 0
		for _, score := range s {
			if score >= n {
				count++
			}
		}
		return fmt.Sprint(count)
	case "exists":
		return fmt.Sprint(min(s.size(), 1) + min(other.size(), 1))
	case "expiry":
		return fmt.Sprint(st.expires[op.set], s.size() > 0)
	case "union":
		return united(s, other).text(0, linearSize)
	case "diff":
		return without(s, other).text(0, linearSize)
	}
	return fmt.Sprint(st.scores[0].text(0, linearSize), st.expires[0], "|", st.scores[1].text(0, linearSize), st.expires[1], "|", st.moves)
}

// united has all members with the higher of their scores.
func united(s, other *linearScoresOf) *linearScoresOf {
	var u linearScoresOf
	for m := range u {
		u[m] = max(s[m], other[m])
	}
	return &u
}

// without has the members of a set that another does not have.
func without(s, other *linearScoresOf) *linearScoresOf {
	d := *s
	for m := range d {
		if other[m] != 0 {
			d[m] = 0
		}
	}
	return &d
}

// change is step for changes of members.
func (st *linearState) change(op linearOp) string {
	s, other := &st.scores[op.set], &st.scores[1-op.set]
	score, n := &s[op.member], int16(op.n)+1
	switch op.kind {
	case "add":
		*score = n
	case "nx":
		if *score == 0 {
			*score = n
		}
	case "gt":
		*score = max(*score, n)
	case "incr":
		*score = max(*score, 1) + n - 1
	case "remove":
		*score = 0
	case "move", "swap":
		return st.cross(op)
	case "expect":
		text := s.text(0, linearSize)
		*score = n
		return text
	case "expect score":
		if *score != n {
			return "conflict"
		}
		*score = n + 1
	case "expect absent":
		if *score != 0 {
			return "conflict"
		}
		*score = n
	case "pop max":
		return s.pop(s.size() - 1)
	case "wait":
		switch {
		case s.size() > 0:
			return linearKeys[op.set] + " " + s.pop(0)
		case other.size() > 0:
			return linearKeys[1-op.set] + " " + other.pop(0)
		}
		return "too late"
	}
	return ""
}

// pop removes the member with this rank, if there is one.
func (s *linearScoresOf) pop(rank int) (entry string) {
	if order := s.order(); len(order) > 0 {
		entry = s.entry(order[rank])
		s[order[rank]] = 0
	}
	return entry
}

// cross is change for move and swap, which change both sets and the private key.
func (st *linearState) cross(op linearOp) string {
	score, other := &st.scores[op.set][op.member], &st.scores[1-op.set][op.member]
	switch {
	case op.kind == "swap":
		*other, *score = *score, *other
	case *score == 0:
		return ""
	default:
		*other, *score = *score, 0
	}
	st.moves++
	return ""
}

// manage is step for the commands on whole keys.
func (st *linearState) manage(op linearOp) string {
	s, other := &st.scores[op.set], &st.scores[1-op.set]
	there, n := min(s.size(), 1), int16(op.n)
	switch op.kind {
	case "drop":
		*s = linearScoresOf{}
		return fmt.Sprint(there)
	case "drop both":
		there += min(other.size(), 1)
		*s, *other = linearScoresOf{}, linearScoresOf{}
		return fmt.Sprint(there)
	case "expire":
		if there == 1 {
			st.expires[op.set] = st.now + n
		}
		return fmt.Sprint(there == 1)
	case "persist":
		had := st.expires[op.set] != 0
		st.expires[op.set] = 0
		return fmt.Sprint(had)
	case "advance":
		st.now++
		return ""
	}
	if there == 0 {
		return "no set"
	}
	if op.kind == "rename if absent" && other.size() > 0 {
		return "false"
	}
	*other, st.expires[1-op.set] = *s, st.expires[op.set]
	switch op.kind {
	case "copy":
		return fmt.Sprint(s.size())
	case "copy inside":
		return ""
	}
	*s = linearScoresOf{}
	if op.kind == "rename if absent" {
		return "true"
	}
	return ""
}

// store is step for operations that store the result of a set operation.
func (st *linearState) store(op linearOp) string {
	s, other := &st.scores[op.set], &st.scores[1-op.set]
	dst, result := op.set, *united(s, other)
	switch op.kind {
	case "diff store":
		result = *without(s, other)
	case "range store":
		dst, result = 1-op.set, linearScoresOf{}
		order := s.order()
		for _, m := range order[:min(op.n, len(order))] {
			result[m] = s[m]
		}
	}
	st.scores[dst], st.expires[dst] = result, 0
	return fmt.Sprint(result.size())
}

// linearModel is the model for the checker. States are values; an operation that a crash cut off has two outcomes.
func linearModel(seed maphash.Seed) porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init: func() []any { return []any{linearState{now: 1}} },
		Step: func(state, input, output any) []any {
			st, op := state.(linearState), input.(linearOp)
			next := st
			answer := next.step(op)
			switch {
			case op.unsure:
				return []any{st, next}
			case op.kind == "expect" && output.(string) == "conflict": // another call came in between
				return []any{st}
			case answer != output.(string):
				return nil
			}
			return []any{next}
		},
		Hash: func(state any) uint64 { return maphash.Comparable(seed, state.(linearState)) },
	}
	return m.ToModel()
}

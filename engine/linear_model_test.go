package engine

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"slices"

	"github.com/anishathalye/porcupine"

	"github.com/zrankdb/zrank/zset"
)

// A history is what clients asked of two small sets and one private key, and what they were answered. It is right if some
// order explains all answers that agrees with the order of calls and returns: the sets then behave as if each transaction
// happened at one moment.

const (
	linearMembers = 8
	linearScores  = 5
)

var linearKeys = []string{"a", "b"}

// linearState is the two sets and the private key. Scores are one too high; 0 is absent.
type linearState struct {
	scores [2][linearMembers]int16
	moves  int16
}

// linearOp is a transaction. kind is a name below; set, member and n are its arguments.
type linearOp struct {
	kind   string
	set    int
	member int
	n      int
	unsure bool // cut off by a crash: it happened, or it never did
}

var linearReads = []string{"score", "rank", "range", "count", "both"}
var linearWrites = []string{"add", "nx", "gt", "incr", "remove", "move", "swap"}

func randomOp(rng *rand.Rand) linearOp {
	kinds := linearWrites
	if rng.IntN(2) == 0 {
		kinds = linearReads
	}
	return linearOp{kind: kinds[rng.IntN(len(kinds))], set: rng.IntN(2), member: rng.IntN(linearMembers), n: rng.IntN(linearScores)}
}

func (op linearOp) reads() bool { return slices.Contains(linearReads, op.kind) }

func (op linearOp) name() []byte { return []byte{'m', byte('0' + op.member)} }

// order returns the members of a set in order.
func (st *linearState) order(set int) (members []int) {
	for m, score := range st.scores[set] {
		if score != 0 {
			members = append(members, m)
		}
	}
	slices.SortStableFunc(members, func(a, b int) int { return int(st.scores[set][a]) - int(st.scores[set][b]) })
	return members
}

// text shows entries as both sides do.
func (st *linearState) text(set, lo, hi int) (s string) {
	members := st.order(set)
	for _, m := range members[min(lo, len(members)):min(hi, len(members))] {
		s += fmt.Sprintf("m%d=%d ", m, st.scores[set][m]-1)
	}
	return s
}

// step does an operation on the model and returns the answer.
func (st *linearState) step(op linearOp) string {
	score := &st.scores[op.set][op.member]
	other := &st.scores[1-op.set][op.member]
	n := int16(op.n) + 1
	switch op.kind {
	case "score":
		return fmt.Sprint(*score-1, *score != 0)
	case "rank":
		return fmt.Sprint(slices.Index(st.order(op.set), op.member))
	case "range":
		return st.text(op.set, 0, op.n)
	case "count":
		count := 0
		for _, s := range st.scores[op.set] {
			if s >= n {
				count++
			}
		}
		return fmt.Sprint(count)
	case "both":
		return fmt.Sprint(st.text(0, 0, linearMembers), "|", st.text(1, 0, linearMembers), "|", st.moves)
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
	case "move":
		if *score == 0 {
			return ""
		}
		*other, *score = *score, 0
		st.moves++
	case "swap":
		*other, *score = *score, *other
		st.moves++
	}
	return ""
}

// linearModel is the model for the checker. States are values; an operation that a crash cut off has two outcomes.
func linearModel(seed maphash.Seed) porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init: func() []any { return []any{linearState{}} },
		Step: func(state, input, output any) []any {
			st, op := state.(linearState), input.(linearOp)
			next := st
			answer := next.step(op)
			if op.unsure {
				return []any{st, next}
			}
			if answer != output.(string) {
				return nil
			}
			return []any{next}
		},
		Hash: func(state any) uint64 { return maphash.Comparable(seed, state.(linearState)) },
	}
	return m.ToModel()
}

// do does an operation on an engine.
func (op linearOp) do(e *Engine) (answer string, err error) {
	run := e.Update
	if op.reads() {
		run = e.View
	}
	keys := linearKeys[op.set : op.set+1]
	if slices.Contains([]string{"both", "move", "swap"}, op.kind) {
		keys = linearKeys
	}
	err = run(keys, func(tx *Tx) (err error) {
		answer, err = op.inside(tx)
		return err
	})
	return answer, err
}

func (op linearOp) inside(tx *Tx) (string, error) {
	s, err := tx.Set(linearKeys[op.set])
	if err != nil {
		return "", err
	}
	score, had := s.Score(op.name())
	switch op.kind {
	case "score":
		if !had {
			score = -1
		}
		return fmt.Sprint(int(score), had), nil
	case "rank":
		rank, ok := s.Rank(op.name())
		if !ok {
			rank = -1
		}
		return fmt.Sprint(rank), nil
	case "range":
		return linearText(s, op.n), nil
	case "count":
		lo, hi := s.ScoreInterval(zset.Bound{Score: float64(op.n)}, zset.Bound{Score: 1e9})
		return fmt.Sprint(hi - lo), nil
	case "both":
		return linearBoth(tx)
	case "move", "swap":
		return "", op.cross(tx, s, score, had)
	case "remove":
		_, err = s.Remove(op.name())
	case "incr":
		_, err = s.IncrBy(op.name(), float64(op.n))
	default:
		if !had || op.kind == "add" || op.kind == "gt" && float64(op.n) > score {
			_, err = s.Add(op.name(), float64(op.n))
		}
	}
	return "", err
}

// cross is move and swap, which change both sets and the private key.
func (op linearOp) cross(tx *Tx, s *Set, score float64, had bool) error {
	if op.kind == "move" && !had {
		return nil
	}
	t, err := tx.Set(linearKeys[1-op.set])
	if err != nil {
		return err
	}
	score2, had2 := t.Score(op.name())
	if err := put(t, op.name(), score, had); err != nil {
		return err
	}
	if err := put(s, op.name(), score2, had2 && op.kind == "swap"); err != nil {
		return err
	}
	moves, err := linearMoves(tx)
	if err != nil {
		return err
	}
	return tx.Put("moves", fmt.Append(nil, moves+1))
}

func put(s *Set, member []byte, score float64, present bool) (err error) {
	if present {
		_, err = s.Add(member, score)
	} else {
		_, err = s.Remove(member)
	}
	return err
}

func linearMoves(tx *Tx) (n int, err error) {
	v, ok, err := tx.Get("moves")
	if ok {
		_, err = fmt.Sscan(string(v), &n)
	}
	return n, err
}

func linearBoth(tx *Tx) (string, error) {
	a, errA := tx.Set("a")
	b, errB := tx.Set("b")
	moves, errM := linearMoves(tx)
	for _, err := range []error{errA, errB, errM} {
		if err != nil {
			return "", err
		}
	}
	return fmt.Sprint(linearText(a, linearMembers), "|", linearText(b, linearMembers), "|", moves), nil
}

func linearText(s *Set, n int) (text string) {
	for _, e := range s.Append(nil, 0, n) {
		text += fmt.Sprintf("%s=%d ", e.Member, int(e.Score))
	}
	return text
}

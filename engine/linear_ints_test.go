package engine

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/zset"
)

// linearSet has the methods of a set of either kind that histories use. The model has small scores. int64 scores are higher by linearBase, where
// a float64 could not tell neighbours apart.
type linearSet interface {
	Score(member []byte) (float64, bool)
	Rank(member []byte) (int, bool)
	atLeast(n int) int
	text(n int) string
	Add(member []byte, score float64) (bool, error)
	Remove(member []byte) (bool, error)
	IncrBy(member []byte, delta float64) (float64, error)
	PopMax(n int) ([]zset.Entry, error)
	ExpectScore(member []byte, score float64) error
	ExpectAbsent(member []byte) error
}

const linearBase = 1 << 53

var linearForm = Form{TieWidth: 24, ScoreTie: 8}

// linearInts are the writes on sets with int64 scores that stay atomic also when big sets are copied.
var linearInts = slices.DeleteFunc(append(slices.Clone(linearSets), "copy inside"), func(kind string) bool { return kind == "wait" })

// open returns a set of the history's kind.
func (op linearOp) open(tx *Tx, key string) (linearSet, error) {
	if !op.ints {
		s, err := tx.Set(key)
		return linearFloatSet{s}, err
	}
	s, err := tx.IntSet(key, linearForm)
	return linearIntSet{s}, err
}

type linearFloatSet struct{ *Set }

func (s linearFloatSet) atLeast(n int) int {
	lo, hi := s.ScoreInterval(zset.Bound{Score: float64(n)}, zset.Bound{Score: 1e9})
	return hi - lo
}

func (s linearFloatSet) text(n int) string { return linearText(s.View, n) }

type linearIntSet struct{ *IntSet }

func (s linearIntSet) Score(member []byte) (float64, bool) {
	score, ok := s.IntSet.Score(member)
	return float64(score - linearBase), ok
}

func (s linearIntSet) atLeast(n int) int {
	lo, hi := s.ScoreInterval(zset.IntBound{Score: int64(n) + linearBase}, zset.IntBound{Score: linearBase + 1e9})
	return hi - lo
}

func (s linearIntSet) text(n int) string { return linearIntText(s.Append(nil, 0, n)) }

func (s linearIntSet) Add(member []byte, score float64) (bool, error) {
	return s.AddTied(member, make([]byte, linearForm.TieWidth), int64(score)+linearBase)
}

func (s linearIntSet) IncrBy(member []byte, delta float64) (float64, error) {
	if _, had := s.Score(member); !had {
		_, err := s.Add(member, delta)
		return delta, err
	}
	score, err := s.IntSet.IncrBy(member, int64(delta))
	return float64(score - linearBase), err
}

func (s linearIntSet) PopMax(n int) ([]zset.Entry, error) {
	popped, err := s.IntSet.PopMax(n)
	return linearFloats(popped), err
}

func (s linearIntSet) ExpectScore(member []byte, score float64) error {
	return s.IntSet.ExpectScore(member, int64(score)+linearBase)
}

func linearIntText(entries []zset.IntEntry) string { return linearEntries(linearFloats(entries)) }

func linearFloats(entries []zset.IntEntry) (list []zset.Entry) {
	for _, e := range entries {
		list = append(list, zset.Entry{Member: e.Member, Score: float64(e.Score - linearBase)})
	}
	return list
}

// byHand answers "range" for a set with int64 scores from a copy.
func (op linearOp) byHand(e *Engine) (answer string, err error) {
	z, _, err := e.CopyInts(context.Background(), linearKeys[op.set], linearForm)
	if err != nil {
		return "", err
	}
	return linearIntText(z.Append(nil, 0, op.n)), nil
}

package zsetcmd

import (
	"errors"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/zset"
)

const errIncrPairs = command.Refusal("ERR INCR option supports a single increment-element pair")

// adding is the request of ZADD or ZINCRBY.
type adding struct {
	condition zset.Condition
	ch, incr  bool
	pairs     [][]byte // score, member, ...
}

// fewScores is the number of scores that ZADD holds without an allocation.
const fewScores = 32

func zadd(t *session.Txn, a [][]byte) error { return addMembers(t, a, adding{}) }

// zincrby is ZADD INCR. As in Redis it makes the same checks in the same order.
func zincrby(t *session.Txn, a [][]byte) error { return addMembers(t, a, adding{incr: true}) }

// parse reads the words after the key: options, then pairs, which begin at the first word that is no option.
func (q *adding) parse(words [][]byte) error {
	for len(words) > 0 && q.option(words[0]) {
		words = words[1:]
	}
	q.pairs = words
	if len(words) == 0 || len(words)%2 != 0 {
		return command.ErrSyntax
	}
	if err := q.condition.Validate(); err != nil {
		return command.Refuse(err)
	}
	if q.incr && len(words) > 2 {
		return errIncrPairs
	}
	return nil
}

// option sets an option, or returns false if the word is not one.
func (q *adding) option(word []byte) bool {
	switch {
	case command.Is(word, "nx"):
		q.condition |= zset.NX
	case command.Is(word, "xx"):
		q.condition |= zset.XX
	case command.Is(word, "gt"):
		q.condition |= zset.GT
	case command.Is(word, "lt"):
		q.condition |= zset.LT
	case command.Is(word, "ch"):
		q.ch = true
	case command.Is(word, "incr"):
		q.incr = true
	default:
		return false
	}
	return true
}

// scores reads all scores, before the set changes.
func (q *adding) scores(dst []float64) ([]float64, error) {
	for i := 0; i < len(q.pairs); i += 2 {
		f, ok := wire.ParseScore(q.pairs[i])
		if !ok {
			return nil, command.ErrNotFloat
		}
		dst = append(dst, f)
	}
	return dst, nil
}

// addMembers runs ZADD or ZINCRBY.
func addMembers(t *session.Txn, a [][]byte, q adding) error {
	if err := q.parse(a[2:]); err != nil {
		return err
	}
	var buf [fewScores]float64
	scores, err := q.scores(buf[:0])
	if err != nil {
		return err
	}
	if q.incr {
		return increment(t, a[1], q.pairs[1], scores[0], q.condition)
	}
	s, err := t.Change(a[1])
	if err != nil {
		return err
	}
	n := 0
	for i, score := range scores {
		outcome, err := s.AddIf(q.pairs[2*i+1], score, q.condition)
		if err != nil {
			return err
		}
		if outcome == zset.Added || q.ch && outcome == zset.Updated {
			n++
		}
	}
	t.Out.Int(int64(n))
	return nil
}

// increment adds to a member's score. If the sum is not a number, the set does not change.
func increment(t *session.Txn, key, member []byte, delta float64, c zset.Condition) error {
	s, err := t.Change(key)
	if err != nil {
		return err
	}
	score, ok, err := s.IncrByIf(member, delta, c)
	if errors.Is(err, zset.ErrNaN) {
		return command.Refuse(err)
	}
	if err != nil {
		return err
	}
	writeScoreOrNull(t.Out, score, ok)
	return nil
}

func zrem(t *session.Txn, a [][]byte) error {
	s, err := t.Change(a[1])
	if err != nil {
		return err
	}
	n := 0
	for _, member := range a[2:] {
		removed, err := remove(s, member)
		if err != nil {
			return err
		}
		if removed {
			n++
		}
	}
	t.Out.Int(int64(n))
	return nil
}

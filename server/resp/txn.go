package resp

import (
	"errors"
	"iter"
	"math/rand/v2"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/zset"
)

// txn is a transaction as commands see it.
type txn struct {
	c    *client
	tx   *engine.Tx
	w    *wire.Writer
	step step
	gone []string // keys whose plain values the transaction has taken away
	// patient: a command that is too much for a transaction may end it with errLater, and leave in later what to do then.
	patient bool
	later   func() error
	all     []string // every key that the transaction has named, for commands with the flag whole; nil: it has none
}

// do runs one command. It returns an error only for what undoes the transaction.
func (t *txn) do(s step) error {
	t.step = s
	if s.m.flags&write == 0 || t.c.s.watchers.n.Load() == 0 {
		return t.answer(s)
	}
	absent := t.absent(s)
	err := t.answer(s)
	t.tellOfNew(absent)
	return err
}

// answer writes the reply of a command.
func (t *txn) answer(s step) error {
	mark := t.w.Len()
	var err error
	if s.m.tx != nil {
		err = s.m.tx(t, s.a)
	} else {
		err = s.m.alone(t.c, s.a)
	}
	if err == nil {
		if t.w.Over() != nil {
			return t.c.cut()
		}
		return nil
	}
	var r refusal // not before there is an error: it takes memory
	if errors.As(err, &r) {
		t.w.Truncate(mark)
		t.w.Error(string(r))
		return nil
	}
	return err
}

// name returns what the engine calls a key of the command's database.
func (t *txn) name(key []byte) string { return t.c.names.of(t.step.db, key) }

// sorted is a sorted set as clients read it, whatever its scores are. *zset.View is one.
type sorted interface {
	Len() int
	Score(member []byte) (float64, bool)
	Rank(member []byte) (int, bool)
	RankScore(member []byte) (rank int, score float64, ok bool)
	Range(lo, hi int) iter.Seq2[[]byte, float64]
	RevRange(lo, hi int) iter.Seq2[[]byte, float64]
	RankInterval(start, stop int) (lo, hi int)
	Reverse(lo, hi int) (int, int)
	ScoreInterval(low, high zset.Bound) (lo, hi int)
	MemberPage(low, high *zset.MemberBound, offset, count int) (lo, hi int)
	RevMemberPage(low, high *zset.MemberBound, offset, count int) (lo, hi int)
	AppendRandom(dst []zset.Entry, r *rand.Rand, count int) []zset.Entry
	AppendScan(dst []zset.Entry, cursor uint64, n int) ([]zset.Entry, uint64)
	Encoding() string
	Size() int
}

// noSet is what keys without a set read as.
var noSet sorted = new(zset.View)

// read returns the sorted set of a key for reading; one that does not exist is empty. Errors: errWrongType.
func (t *txn) read(key []byte) (sorted, error) {
	name := t.name(key)
	if kind, err := t.plainKind(name); err != nil || kind != none {
		return nil, either(err, error(errWrongType))
	}
	return t.sortedAt(name)
}

// sortedAt returns the sorted set of a key that has no plain value.
func (t *txn) sortedAt(name string) (sorted, error) {
	stat, err := t.tx.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !stat.Exists:
		return noSet, nil
	case stat.Ints:
		return t.readInts(name, stat)
	}
	s, err := t.tx.Set(name)
	if err != nil {
		return nil, err
	}
	return s.View, nil
}

// change returns the sorted set of a key for changing; one that does not exist is empty, and made by its first member. Errors:
// errWrongType, errReadOnly.
func (t *txn) change(key []byte) (*engine.Set, error) {
	name := t.name(key)
	if kind, err := t.plainKind(name); err != nil || kind != none {
		return nil, either(err, error(errWrongType))
	}
	s, err := t.tx.Set(name)
	if errors.Is(err, engine.ErrKind) || engine.Reserved(name) {
		return nil, errReadOnly
	}
	return s, err
}

package resp

import (
	"cmp"
	"errors"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// keyTx is a transaction of the engine as commands see it: keys of databases, and values of every kind.
type keyTx struct {
	space *space
	tx    *engine.Tx
	names *names
	db    int // of the command that runs
	// all is every key that the transaction has locked, in order, for commands about all keys; nil: it has not locked all of them.
	all     []string
	dropped []string // keys whose plain values the transaction has deleted
}

// newTx returns a transaction of commands on a database, which begin binds to one of the engine.
func (s *space) newTx(n *names, db int) keyTx { return keyTx{space: s, names: n, db: db} }

// begin binds the transaction to one of the engine. A transaction that is repeated begins several times.
func (t *keyTx) begin(tx *engine.Tx) { t.tx = tx }

// name returns the engine's key of a key of the command's database.
func (t *keyTx) name(key []byte) string { return t.names.of(t.db, key) }

// now returns the time of the transaction.
func (t *keyTx) now() time.Time { return t.tx.Now() }

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
func (t *keyTx) read(key []byte) (sorted, error) {
	name := t.name(key)
	if kind, err := t.plainKind(name); err != nil || kind != none {
		return nil, cmp.Or(err, error(errWrongType))
	}
	return t.sortedAt(name)
}

// sortedAt returns the sorted set of a key that has no plain value.
func (t *keyTx) sortedAt(name string) (sorted, error) {
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
func (t *keyTx) change(key []byte) (*engine.Set, error) {
	name := t.name(key)
	if kind, err := t.plainKind(name); err != nil || kind != none {
		return nil, cmp.Or(err, error(errWrongType))
	}
	s, err := t.tx.Set(name)
	if errors.Is(err, engine.ErrKind) || engine.Reserved(name) {
		return nil, errReadOnly
	}
	return s, err
}

// put is store without an answer.
func (t *keyTx) put(name string, list []zset.Entry) error {
	if _, err := t.drop(name); err != nil || len(list) == 0 {
		return err
	}
	s, err := t.tx.Set(name)
	if err != nil {
		return err
	}
	for _, e := range list {
		if _, err := s.Add(e.Member, e.Score); err != nil {
			return err
		}
	}
	return nil
}

// engineKeys returns the engine's keys of keys of the command's database.
func (t *keyTx) engineKeys(keys [][]byte) []string {
	list := make([]string, len(keys))
	for i, key := range keys {
		list[i] = t.name(key)
	}
	return list
}

// sortedExists reports whether the engine has a sorted set of a name, whether or not a plain value hides it.
func (t *keyTx) sortedExists(name string) (bool, error) {
	stat, err := t.tx.Stat(name)
	return stat.Exists, err
}

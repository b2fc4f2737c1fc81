package keyspace

import (
	"cmp"
	"iter"
	"math/rand/v2"
	"strings"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/zset"
)

// Sorted is a sorted set as clients read it: *zset.View, or a set with int64 scores.
type Sorted interface {
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

// noSet is the sorted set of a key without a value.
var noSet Sorted = new(zset.View)

// ErrNotByMember answers BYLEX, ZRANGEBYLEX and ZLEXCOUNT on a ranking: its members of equal score are not in the order of their names, so
// an interval of names is not one of ranks.
const ErrNotByMember = command.Refusal("ERR members of a ranking are not in the order of their names: there are no ranges by member")

// Lexical returns ErrNotByMember if a set has no ranges by member, or nil.
func Lexical(v Sorted) error {
	if s, ok := v.(*ints); ok && (s.rules != nil || s.v.TieWidth() > 0) {
		return ErrNotByMember
	}
	return nil
}

// readInts returns a set with int64 scores as clients read it. Errors: a refusal for a board's set that cannot be read now, since its board
// is being migrated, or the engine's boards are not open.
func (t *Tx) readInts(name string, stat engine.Stat) (Sorted, error) {
	s := &ints{}
	if strings.HasPrefix(name, local.KeyPrefix) {
		bs := t.Space.boards
		if bs == nil {
			return nil, command.Refusal("ERR boards are not open here, so that their sets cannot be read")
		}
		var err error
		if s.rules, err = bs.RulesOf(name); err != nil {
			return nil, command.Refuse(err)
		}
		s.down = s.rules != nil && s.rules.Columns()[0].Order == rules.Desc
	}
	set, err := t.tx.IntSet(name, stat.Form)
	if err != nil {
		return nil, err
	}
	s.v = set.IntView
	return s, nil
}

// SortedAt is Read for a name that has no plain value.
func (t *Tx) SortedAt(name string) (Sorted, error) {
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

// Read returns the sorted set of a key for reading; without a value it is empty. Errors: ErrWrongType, refusals for a board's set.
func (t *Tx) Read(key []byte) (Sorted, error) {
	name := t.Name(key)
	if kind, err := t.plainKind(name); err != nil || kind != None {
		return nil, cmp.Or(err, error(command.ErrWrongType))
	}
	return t.SortedAt(name)
}

// SortedExists reports whether the engine has a sorted set of a name, whether or not a plain value hides it.
func (t *Tx) SortedExists(name string) (bool, error) {
	stat, err := t.tx.Stat(name)
	return stat.Exists, err
}

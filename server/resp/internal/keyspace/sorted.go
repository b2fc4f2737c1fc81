package keyspace

import (
	"iter"
	"math/rand/v2"

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

// Lexical returns why a set has no ranges by member, or nil.
func Lexical(v Sorted) error {
	if s, ok := v.(*ints); ok && (s.rules != nil || s.v.TieWidth() > 0) {
		return ErrNotByMember
	}
	return nil
}

package keyspace

import (
	"iter"
	"math/rand/v2"
	"sort"

	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// ints is a set with int64 scores as clients read it: with float64 scores, in ascending order. Several scores beyond 2^53 may show as one.
//
// A ranking of a board shows the first column of each score as it was submitted. Where more is better the set is in descending order of that
// column, and is read backwards: ZREVRANGE 0 9 is the top ten, as in a Redis set of these scores, and ZREVRANK is the place from 0. Where
// less is better ZRANGE 0 9 is the top ten. Members with equal first columns keep the board's order, by further columns and its tie rule:
// from the best on in the direction of the top ten.
type ints struct {
	v     *zset.IntView
	rules *rules.Rules // of a ranking; nil: the scores are numbers
	down  bool         // the set is in descending order of the numbers
}

// number returns a score as clients see it.
func (s *ints) number(score int64) float64 {
	if s.rules == nil {
		return float64(score)
	}
	return s.rules.FirstColumn(score).Float()
}

// rank converts a rank of the set to one that clients see, or back.
func (s *ints) rank(i int) int {
	if s.down {
		return s.v.Len() - 1 - i
	}
	return i
}

// Len returns the number of members.
func (s *ints) Len() int { return s.v.Len() }

// Score returns a member's score.
func (s *ints) Score(member []byte) (float64, bool) {
	score, ok := s.v.Score(member)
	return s.number(score), ok
}

// Rank returns a member's rank.
func (s *ints) Rank(member []byte) (int, bool) {
	rank, ok := s.v.Rank(member)
	return s.rank(rank), ok
}

// RankScore returns a member's rank and score.
func (s *ints) RankScore(member []byte) (rank int, score float64, ok bool) {
	r, i, ok := s.v.RankScore(member)
	return s.rank(r), s.number(i), ok
}

// Range walks the ranks [lo, hi).
func (s *ints) Range(lo, hi int) iter.Seq2[[]byte, float64] { return s.walk(lo, hi, s.down) }

// RevRange walks the reverse ranks [lo, hi).
func (s *ints) RevRange(lo, hi int) iter.Seq2[[]byte, float64] { return s.walk(lo, hi, !s.down) }

// walk walks the set's ranks, or reverse ranks, [lo, hi).
func (s *ints) walk(lo, hi int, reverse bool) iter.Seq2[[]byte, float64] {
	entries := s.v.Range(lo, hi)
	if reverse {
		entries = s.v.RevRange(lo, hi)
	}
	return func(yield func([]byte, float64) bool) {
		for member, score := range entries {
			if !yield(member, s.number(score)) {
				return
			}
		}
	}
}

// RankInterval returns the ranks [lo, hi) of Redis's start and stop.
func (s *ints) RankInterval(start, stop int) (lo, hi int) { return s.v.RankInterval(start, stop) }

// Reverse converts ranks [lo, hi) to reverse ranks, or back.
func (s *ints) Reverse(lo, hi int) (int, int) { return s.v.Reverse(lo, hi) }

// ScoreInterval returns the ranks [lo, hi) whose shown scores are within the bounds. O(log^2 n).
func (s *ints) ScoreInterval(low, high zset.Bound) (lo, hi int) {
	lo = s.below(low.Score, low.Exclusive)
	hi = s.below(high.Score, !high.Exclusive)
	return lo, max(lo, hi)
}

// below returns how many members show a score below f, or up to f if equal.
func (s *ints) below(f float64, equal bool) int {
	return sort.Search(s.v.Len(), func(i int) bool {
		x := s.at(i)
		return x > f || x == f && !equal
	})
}

// at returns the score that a rank shows.
func (s *ints) at(rank int) float64 {
	for _, x := range s.Range(rank, rank+1) {
		return x
	}
	return 0
}

// MemberPage is zset.View.MemberPage. The set must be lexical.
func (s *ints) MemberPage(low, high *zset.MemberBound, offset, count int) (lo, hi int) {
	return s.v.MemberPage(low, high, offset, count)
}

// RevMemberPage is zset.View.RevMemberPage. The set must be lexical.
func (s *ints) RevMemberPage(low, high *zset.MemberBound, offset, count int) (lo, hi int) {
	return s.v.RevMemberPage(low, high, offset, count)
}

// Encoding returns listpack or skiplist.
func (s *ints) Encoding() string { return s.v.Encoding() }

// Size returns the bytes of memory of the set.
func (s *ints) Size() int { return s.v.Size() }

// entries returns entries of the set with the scores that clients see.
func (s *ints) entries(list []zset.IntEntry) []zset.Entry {
	shown := make([]zset.Entry, len(list))
	for i, e := range list {
		shown[i] = zset.Entry{Member: e.Member, Score: s.number(e.Score)}
	}
	return shown
}

// AppendRandom is zset.View.AppendRandom with the scores that clients see.
func (s *ints) AppendRandom(dst []zset.Entry, r *rand.Rand, count int) []zset.Entry {
	return append(dst, s.entries(s.v.AppendRandom(nil, r, count))...)
}

// AppendScan is zset.View.AppendScan with the scores that clients see.
func (s *ints) AppendScan(dst []zset.Entry, cursor uint64, n int) ([]zset.Entry, uint64) {
	list, next := s.v.AppendScan(nil, cursor, n)
	return append(dst, s.entries(list)...), next
}

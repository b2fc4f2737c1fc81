package structures

import (
	"iter"
	"math"
	"slices"

	"github.com/zrankdb/zrank/fuzz/internal/oracle"
	"github.com/zrankdb/zrank/zset"
)

// ordered has the operations of both structures below zset. Entries are in the order of key, tie and member. The key is a number that rises
// with the score. A text is a tie followed by a member.
type ordered interface {
	Len() int
	find(member []byte) (rank int, key uint64, tie []byte, ok bool)
	put(key uint64, tie, member []byte)
	remove(member []byte)
	removeRange(lo, hi int)
	seek(key uint64, text []byte) (rank int)
	walk(lo, hi int) iter.Seq[keyed]     // ranks in [lo, hi), which exist
	walkBack(lo, hi int) iter.Seq[keyed] // the same in reverse
}

// keyed is an entry of a structure.
type keyed struct {
	key         uint64
	tie, member []byte
}

// keyOf maps a score to a key: exact, and in the same order. It is zset's function, written again.
func keyOf(score float64) uint64 {
	if score == 0 {
		score = 0 // not -0
	}
	bits := math.Float64bits(score)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

// scoreAt is the inverse of keyOf.
func scoreAt(key uint64) float64 {
	if key>>63 == 1 {
		return math.Float64frombits(key &^ (1 << 63))
	}
	return math.Float64frombits(^key)
}

// orderedSet makes a sorted set of a structure; each method is as plain as it can be.
type orderedSet struct {
	ordered
	tieWidth int
}

// Get and the methods below behave as those of zset.
func (s orderedSet) Get(member []byte) (score float64, tie []byte, ok bool) {
	_, key, tie, ok := s.find(member)
	if !ok {
		return 0, nil, false
	}
	return scoreAt(key), tie, true
}

func (s orderedSet) Rank(member []byte) (int, bool) {
	rank, _, _, ok := s.find(member)
	if !ok {
		return 0, false
	}
	return rank, true
}

func (s orderedSet) RevRank(member []byte) (int, bool) {
	rank, ok := s.Rank(member)
	if !ok {
		return 0, false
	}
	return s.Len() - 1 - rank, true
}

// inside limits ranks to those that exist.
func (s orderedSet) inside(lo, hi int) (int, int) {
	lo = min(max(lo, 0), s.Len())
	return lo, min(max(hi, lo), s.Len())
}

func (s orderedSet) Range(lo, hi int) iter.Seq2[[]byte, float64] {
	return scored(s.walk(s.inside(lo, hi)))
}

func (s orderedSet) RevRange(lo, hi int) iter.Seq2[[]byte, float64] {
	lo, hi = s.inside(lo, hi)
	return scored(s.walkBack(s.Len()-hi, s.Len()-lo))
}

func scored(entries iter.Seq[keyed]) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		for e := range entries {
			if !yield(e.member, scoreAt(e.key)) {
				return
			}
		}
	}
}

func (s orderedSet) Append(dst []zset.Entry, lo, hi int) []zset.Entry {
	for e := range s.walk(s.inside(lo, hi)) {
		dst = append(dst, zset.Entry{Member: slices.Clone(e.member), Score: scoreAt(e.key), Tie: slices.Clone(e.tie)})
	}
	return dst
}

func (s orderedSet) ScoreInterval(low, high zset.Bound) (lo, hi int) {
	if math.IsNaN(low.Score) || math.IsNaN(high.Score) {
		return 0, 0
	}
	from, to := keyOf(low.Score), keyOf(high.Score)
	if low.Exclusive {
		from++ // no score has the highest key
	}
	if !high.Exclusive {
		to++
	}
	lo = s.seek(from, nil)
	return lo, max(lo, s.seek(to, nil))
}

// MemberInterval seeks if all entries have the same score and tie. Otherwise the oracle's set finds the ranks.
func (s orderedSet) MemberInterval(low, high *zset.MemberBound) (lo, hi int) {
	hi = s.Len()
	if !s.oneScore() {
		return s.asOracle().MemberInterval(low, high)
	}
	for first := range s.walk(0, min(1, hi)) {
		rank := func(b *zset.MemberBound, after bool) int {
			text := slices.Concat(first.tie, b.Member)
			if after {
				text = append(text, 0) // the next text in byte order
			}
			return s.seek(first.key, text)
		}
		if low != nil {
			lo = rank(low, low.Exclusive)
		}
		if high != nil {
			hi = rank(high, !high.Exclusive)
		}
	}
	return lo, max(lo, hi)
}

func (s orderedSet) MemberPage(low, high *zset.MemberBound, offset, count int) (lo, hi int) {
	if !s.oneScore() {
		return s.asOracle().MemberPage(low, high, offset, count)
	}
	lo, hi = s.MemberInterval(low, high)
	return zset.Limit(lo, hi, offset, count)
}

func (s orderedSet) RevMemberPage(low, high *zset.MemberBound, offset, count int) (lo, hi int) {
	if !s.oneScore() {
		return s.asOracle().RevMemberPage(low, high, offset, count)
	}
	lo, hi = s.MemberInterval(low, high)
	return zset.Limit(s.Len()-hi, s.Len()-lo, offset, count)
}

// oneScore reports whether all entries have the first one's key and tie.
func (s orderedSet) oneScore() bool {
	var first *keyed
	for e := range s.walk(0, s.Len()) {
		if first == nil {
			first = &keyed{key: e.key, tie: slices.Clone(e.tie)}
		}
		if e.key != first.key || string(e.tie) != string(first.tie) {
			return false
		}
	}
	return true
}

// asOracle returns the entries as a set of the oracle.
func (s orderedSet) asOracle() *oracle.Set[float64] {
	m := oracle.NewSet[float64](s.tieWidth)
	for e := range s.walk(0, s.Len()) {
		_, _ = m.AddTied(e.member, e.tie, scoreAt(e.key)) // no score is NaN
	}
	return m
}

func (s orderedSet) Add(member []byte, score float64) (added bool, err error) {
	_, tie, ok := s.Get(member)
	if !ok {
		tie = make([]byte, s.tieWidth)
	}
	return s.AddTied(member, slices.Clone(tie), score)
}

func (s orderedSet) AddTied(member, tie []byte, score float64) (added bool, err error) {
	if len(tie) != s.tieWidth {
		return false, zset.ErrTieWidth
	}
	if math.IsNaN(score) {
		return false, zset.ErrNaN
	}
	n := s.Len()
	s.put(keyOf(score), tie, member)
	return s.Len() > n, nil
}

func (s orderedSet) IncrBy(member []byte, delta float64) (score float64, err error) {
	score, _, _ = s.Get(member)
	if _, err := s.Add(member, score+delta); err != nil {
		return 0, err
	}
	score, _, _ = s.Get(member)
	return score, nil
}

func (s orderedSet) Remove(member []byte) (removed bool, err error) {
	n := s.Len()
	s.remove(member)
	return s.Len() < n, nil
}

func (s orderedSet) RemoveRange(lo, hi int) (removed int, err error) {
	lo, hi = s.inside(lo, hi)
	s.removeRange(lo, hi)
	return hi - lo, nil
}

func (s orderedSet) PopMin(n int) ([]zset.Entry, error) {
	lo, hi := s.inside(0, n)
	entries := s.Append(nil, lo, hi)
	s.removeRange(lo, hi)
	return entries, nil
}

func (s orderedSet) PopMax(n int) ([]zset.Entry, error) {
	lo, hi := s.inside(s.Len()-max(n, 0), s.Len())
	entries := s.Append(nil, lo, hi)
	slices.Reverse(entries)
	s.removeRange(lo, hi)
	return entries, nil
}

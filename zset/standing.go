package zset

import "math"

// Standing says which rank entries with equal scores have. The numbers are the ranks, counted from 1 in the reverse
// order, of scores 50, 40, 40 and 30.
type Standing uint8

const (
	// Ordinal gives every entry a rank of its own: 1 2 3 4. The tie, then the member, decides.
	Ordinal Standing = iota
	// Competition gives equals the best rank among them, and leaves a gap after them: 1 2 2 4.
	Competition
	// Modified gives equals the worst rank among them, and leaves a gap before them: 1 3 3 4.
	Modified
	// Dense gives equals one rank and leaves no gap: 1 2 2 3.
	Dense
)

// Below returns the number of entries with a lower score: the rank, from 0, that a new entry with this score has under
// Competition. A score that is NaN has none below. O(log n).
func (v *ViewOf[S]) Below(score S) int {
	if isNaN(score) {
		return 0
	}
	return v.countTo(keyOf(score), false)
}

// Above returns the number of entries with a higher score. A score that is NaN has none above. O(log n).
func (v *ViewOf[S]) Above(score S) int {
	if isNaN(score) {
		return 0
	}
	return v.Len() - v.countTo(keyOf(score), true)
}

// RankBy returns a member's rank, from 0, lowest score first, with equal scores ranked as a Standing says; false if the set
// does not hold it. O(log n), but for Dense: see ScoreRank.
func (v *ViewOf[S]) RankBy(how Standing, member []byte) (rank int, ok bool) {
	if how == Ordinal {
		return v.Rank(member)
	}
	score, ok := v.Score(member)
	if !ok {
		return 0, false
	}
	return v.ScoreRank(how, score), true
}

// RevRankBy is RankBy with the highest score first. O(log n), but for Dense: see ScoreRank.
func (v *ViewOf[S]) RevRankBy(how Standing, member []byte) (rank int, ok bool) {
	if how == Ordinal {
		return v.RevRank(member)
	}
	score, ok := v.Score(member)
	if !ok {
		return 0, false
	}
	return v.RevScoreRank(how, score), true
}

// ScoreRank returns the rank, from 0, lowest score first, that entries with a score have or, if nobody holds it, that one
// would have. Ordinal is the first place among equals. A score that is NaN has rank 0. O(log n); Dense is that with
// Options.DenseRanks in a skiplist, and elsewhere O(d log n) for d distinct scores passed.
func (v *ViewOf[S]) ScoreRank(how Standing, score S) int {
	if isNaN(score) {
		return 0
	}
	key := keyOf(score)
	switch below := v.countTo(key, false); how {
	case Modified:
		return max(below, v.countTo(key, true)-1)
	case Dense:
		return v.distinctBelow(key)
	default:
		return below
	}
}

// RevScoreRank is ScoreRank with the highest score first. It costs the same. O(log n), Dense O(d log n).
func (v *ViewOf[S]) RevScoreRank(how Standing, score S) int {
	if isNaN(score) {
		return 0
	}
	key, n := keyOf(score), v.Len()
	switch above := n - v.countTo(key, true); how {
	case Modified:
		return max(above, n-v.countTo(key, false)-1)
	case Dense:
		return v.distinctAbove(key)
	default:
		return above
	}
}

// distinctBelow returns the number of distinct keys below key. Without an index of them it jumps from one to the next.
func (c *core) distinctBelow(key uint64) (n int) {
	if c.big() != nil && c.big().distinct != nil {
		return c.big().distinct.before(key)
	}
	end := c.countTo(key, false)
	for rank := 0; rank < end; n++ {
		next, _, _ := c.entry(rank)
		rank = c.countTo(next, true)
	}
	return n
}

// distinctAbove returns the number of distinct keys above key.
func (c *core) distinctAbove(key uint64) (n int) {
	if c.big() != nil && c.big().distinct != nil && key < math.MaxUint64 {
		return c.big().distinct.keys.len() - c.big().distinct.before(key+1)
	}
	end := c.countTo(key, true)
	for rank := c.len(); rank > end; n++ {
		next, _, _ := c.entry(rank - 1)
		rank = c.countTo(next, false)
	}
	return n
}

// Gap returns how much the entry that stands n places above a member in the reverse order, the one with the highest score
// first, has more than it, and that entry's member. To pass it the member needs more than the gap, or just as much where the
// tie, or the member itself, decides in its favour. A negative n asks for an entry below; its gap is 0 or negative. ok is
// false if the set does not hold the member or nobody stands there. An int64 gap out of range is cut to the range. The
// returned member aliases the set. O(log n).
func (v *ViewOf[S]) Gap(member []byte, n int) (gap S, other []byte, ok bool) {
	rank, score, ok := v.RankScore(member)
	if !ok || n >= v.Len()-rank || n < -rank {
		return 0, nil, false
	}
	key, _, other := v.entry(rank + n)
	return difference(scoreOf[S](key), score), other, true
}

// difference returns a - b, cut to the range of int64.
func difference[S Score](a, b S) S {
	d := a - b
	switch {
	case a == b: // infinities included
		return 0
	case isInt[S]() && a > b && d < 0:
		return scoreOf[S](math.MaxUint64)
	case isInt[S]() && a < b && d > 0:
		return scoreOf[S](0)
	}
	return d
}

// Percentile returns what percentage of the other members has a lower score than a member, from 0 for the last to 100 for
// the first alone; a member that is alone has 100. False if the set does not hold it. O(log n).
func (v *ViewOf[S]) Percentile(member []byte) (percent float64, ok bool) {
	score, ok := v.Score(member)
	if !ok {
		return 0, false
	}
	if v.Len() == 1 {
		return 100, true
	}
	return 100 * float64(v.Below(score)) / float64(v.Len()-1), true
}

// AtPercentile returns the rank of the first entry that has at least the given percentage of the others before it: 50 gives
// the median, the upper one of two. False if the set is empty or the percentage is not in 0..100. O(1).
func (v *ViewOf[S]) AtPercentile(percent float64) (rank int, ok bool) {
	if v.Len() == 0 || !(percent >= 0 && percent <= 100) {
		return 0, false
	}
	exact := percent * float64(v.Len()-1) / 100
	if near := math.Round(exact); math.Abs(exact-near) <= near*1e-12 { // what Percentile has rounded
		return int(near), true
	}
	return int(math.Ceil(exact)), true
}

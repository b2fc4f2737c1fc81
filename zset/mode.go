package zset

import "math"

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

// RankBy returns a member's rank, from 0, lowest score first, with equals ranked as a Mode says; false if the set does
// not hold it. O(log n), except for Dense: see Distinct.
func (v *ViewOf[S]) RankBy(how Mode, member []byte) (rank int, ok bool) {
	if how == Ordinal {
		return v.Rank(member)
	}
	key, columns, ok := v.value(member)
	if !ok {
		return 0, false
	}
	return v.placeOf(how, key, columns), true
}

// RevRankBy is RankBy with the highest score first, which has rank 0. O(log n), except for Dense: see Distinct.
func (v *ViewOf[S]) RevRankBy(how Mode, member []byte) (rank int, ok bool) {
	if how == Ordinal {
		return v.RevRank(member)
	}
	key, columns, ok := v.value(member)
	if !ok {
		return 0, false
	}
	return v.revPlaceOf(how, key, columns), true
}

// ScoreRank returns the rank, from 0, lowest score first, of the entries with a score. If no entry has the score, it returns the rank
// that a new entry would have. Ordinal gives the first place among equals. In a set with Options.ScoreTie it treats all entries with
// the score as equals. A score that is NaN has rank 0. O(log n), except for Dense: see Distinct.
func (v *ViewOf[S]) ScoreRank(how Mode, score S) int {
	if isNaN(score) {
		return 0
	}
	return v.placeOf(how, keyOf(score), nil)
}

// RevScoreRank is ScoreRank with the highest score first, which has rank 0. O(log n), except for Dense: see Distinct.
func (v *ViewOf[S]) RevScoreRank(how Mode, score S) int {
	if isNaN(score) {
		return 0
	}
	return v.revPlaceOf(how, keyOf(score), nil)
}

// Distinct returns the number of distinct scores among the entries with ranks [0, rank). Scores with different columns (see
// Options.ScoreTie) are distinct. Ranks that do not exist are left out, so that Distinct(Len()) counts the whole set. O(log n) in a
// skiplist with Options.DenseRanks, O(d log n) for a result of d in other skiplists, O(n) in a listpack.
func (v *ViewOf[S]) Distinct(rank int) int { return v.distinct(v.clamp(0, rank)) }

// Gap returns the score difference between a member and the entry n places above it, and the other entry's member. Above means a
// higher score. To pass the other entry, the member needs more than the gap; the gap itself is enough if the tie or the member decides
// in its favour. A negative n means an entry below; its gap is 0 or negative. ok is false if the set does not hold the member, or if
// there is no such entry. An int64 gap out of range is cut to the range. The returned member aliases the set. O(log n).
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

// Percentile returns what percentage of the other members stands below a member and its equals, from 0 for the last to 100 for
// the first alone; a member that is alone has 100. False if the set does not hold it. O(log n).
func (v *ViewOf[S]) Percentile(member []byte) (percent float64, ok bool) {
	below, ok := v.RankBy(Competition, member)
	if !ok {
		return 0, false
	}
	if v.Len() == 1 {
		return 100, true
	}
	return 100 * float64(below) / float64(v.Len()-1), true
}

// AtPercentile returns the rank, from 0, of the first entry that has at least the given percentage of the other entries before it. 50
// gives the median; of two middle entries, the upper one. False if the set is empty or the percentage is not in 0..100. O(1).
func (v *ViewOf[S]) AtPercentile(percent float64) (rank int, ok bool) {
	if v.Len() == 0 || !(percent >= 0 && percent <= 100) {
		return 0, false
	}
	exact := percent * float64(v.Len()-1) / 100
	if near := math.Round(exact); math.Abs(exact-near) <= near*1e-12 { // undo the rounding of Percentile
		return int(near), true
	}
	return int(math.Ceil(exact)), true
}

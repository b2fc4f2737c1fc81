package zset

// BoundOf is an end of an interval of scores. Infinities are bounds like others.
type BoundOf[S Score] struct {
	Score     S
	Exclusive bool // the score itself is left out, as Redis's "(5"
}

// The two kinds of bounds.
type (
	Bound    = BoundOf[float64]
	IntBound = BoundOf[int64]
)

// RankInterval returns the ranks [lo, hi) that Redis ZRANGE means by start and stop: both count from 0, stop is part of it where hi is
// not, and negative numbers count from the end, -1 being the last. O(1).
func (v *ViewOf[S]) RankInterval(start, stop int) (lo, hi int) {
	n := v.Len()
	if start < 0 {
		start += n
	}
	if stop < 0 {
		stop += n
	}
	lo = min(max(start, 0), n)
	return lo, max(lo, min(stop, n-1)+1)
}

// ScoreInterval returns the ranks [lo, hi) of the entries whose scores lie between two bounds; hi-lo is their number, as Redis
// ZCOUNT. Ranks count from 0, and hi is not part of the interval. Nothing lies between bounds in the wrong order, or a bound
// that is NaN. O(log n).
func (v *ViewOf[S]) ScoreInterval(low, high BoundOf[S]) (lo, hi int) {
	if isNaN(low.Score) || isNaN(high.Score) {
		return 0, 0
	}
	lo = v.countTo(keyOf(low.Score), low.Exclusive)
	hi = v.countTo(keyOf(high.Score), !high.Exclusive)
	return lo, max(lo, hi)
}

// Seek returns the number of entries before one that has a score and, one after the other, a tie and a member, which are the
// text; the set need not hold it. The number is the rank, from 0, that the entry has or would have. The first bytes of a text will do,
// and sort before all texts that they begin: Seek(score, nil) is Below(score). A score that is NaN has none before it. O(log
// n).
func (v *ViewOf[S]) Seek(score S, text []byte) int {
	if isNaN(score) {
		return 0
	}
	return v.seek(keyOf(score), text)
}

// SeekAfter returns the number of entries before or with a score and columns, the first Options.ScoreTie bytes of ties; without
// columns all that have the score are counted: SeekAfter(score, nil) is Len less Above(score). More bytes than ScoreTie are not
// looked at. A score that is NaN has none before it. O(log n).
func (v *ViewOf[S]) SeekAfter(score S, columns []byte) int {
	if isNaN(score) {
		return 0
	}
	return v.after(keyOf(score), columns[:min(len(columns), int(v.limits().scoreTie))])
}

// Reverse turns an interval of ranks into the one of reverse ranks, or back, so that RevRange walks the same entries:
// s.RevRange(s.Reverse(s.ScoreInterval(low, high))). Both intervals are half-open, [lo, hi), and count from 0. O(1).
func (v *ViewOf[S]) Reverse(lo, hi int) (int, int) {
	n := v.Len()
	lo, hi = max(lo, 0), min(hi, n)
	return n - hi, n - lo
}

// Limit returns the part of [lo, hi) that Redis LIMIT offset count leaves: at most count ranks after the first offset. A
// negative count means all of them, a negative offset none. The result is half-open too. O(1).
func Limit(lo, hi, offset, count int) (int, int) {
	if offset < 0 || offset > hi-lo {
		return lo, lo
	}
	lo += offset
	if count >= 0 && count < hi-lo {
		hi = lo + count
	}
	return lo, hi
}

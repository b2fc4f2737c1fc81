package zset

// BoundOf is an end of an interval of scores. Infinities are bounds like others.
type BoundOf[S Score] struct {
	Score     S    // the end
	Exclusive bool // the score itself is left out, as Redis's "(5"
}

// The two kinds of bounds.
type (
	Bound    = BoundOf[float64]
	IntBound = BoundOf[int64]
)

// RankInterval converts start and stop of Redis ZRANGE to the ranks [lo, hi). start and stop count from 0, and the interval includes
// stop. Negative numbers count from the end: -1 is the last entry. O(1).
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

// Seek returns the number of entries before the entry with a score and a text, which is the tie followed by the member. That is the
// rank, from 0, that the entry has or would have; the set need not hold it. A prefix of a text sorts before all texts that start with
// it: Seek(score, nil) is Below(score). A score that is NaN has none before it. O(log n).
func (v *ViewOf[S]) Seek(score S, text []byte) int {
	if isNaN(score) {
		return 0
	}
	return v.seek(keyOf(score), text)
}

// SeekAfter returns the number of entries before or with a score and columns, which are the first Options.ScoreTie bytes of a tie.
// Without columns it counts all entries with the score: SeekAfter(score, nil) is Len less Above(score). It ignores bytes after the
// first ScoreTie. A score that is NaN has none before it. O(log n).
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

// Limit applies Redis LIMIT offset count to [lo, hi): it skips offset ranks and returns at most count of the others. A negative count
// means all of them, a negative offset none. The result is half-open too. O(1).
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

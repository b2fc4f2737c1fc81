package observe

import (
	"iter"
	"math"
	"math/bits"
	"sync/atomic"
	"time"
)

// Times are counted in buckets: each power of two of nanoseconds is cut into 8 buckets of equal width. So a bucket is at most an eighth
// of its lower bound wide, and Quantile, which returns the middle of a bucket, is off by 1/16 at most. 280 buckets reach to 137 s; longer
// times count in the last.
const (
	bucketBits  = 3
	bucketParts = 1 << bucketBits
	bucketTop   = 37 // bits of the longest time that has a bucket of its own
	buckets     = (bucketTop - bucketBits + 1) * bucketParts
)

// bucketOf returns the bucket of a time in nanoseconds.
func bucketOf(ns uint64) int {
	shift := max(bits.Len64(ns)-1-bucketBits, 0)
	return min(shift<<bucketBits+int(ns>>shift), buckets-1)
}

// bucketStart returns the least time of a bucket, which is the end of the bucket before it.
func bucketStart(i int) uint64 {
	if i < 2*bucketParts {
		return uint64(i)
	}
	shift := i>>bucketBits - 1
	return uint64(i-shift<<bucketBits) << shift
}

// recorder counts times. Any number of goroutines may use it at once.
type recorder struct {
	sum    atomic.Uint64
	most   atomic.Uint64
	counts [buckets]atomic.Uint64
}

// Add counts a time. O(1).
func (r *recorder) Add(d time.Duration) {
	ns := uint64(max(d, 0))
	r.counts[bucketOf(ns)].Add(1)
	r.sum.Add(ns)
	if ns > r.most.Load() {
		Raise(&r.most, ns)
	}
}

// Raise raises a to n if it is lower.
func Raise(a *atomic.Uint64, n uint64) {
	for was := a.Load(); was < n && !a.CompareAndSwap(was, n); {
		was = a.Load()
	}
}

// addTo adds the recorder's counts to t. O(1): 280 buckets.
func (r *recorder) addTo(t *Times) {
	t.Sum += time.Duration(r.sum.Load())
	t.Max = max(t.Max, time.Duration(r.most.Load()))
	for i := range r.counts {
		n := r.counts[i].Load()
		t.counts[i] += n
		t.Count += n
	}
}

// Times says how long calls took: see engine.CallTimes.
type Times struct {
	Count  uint64        // calls that were timed
	Sum    time.Duration // of the times
	Max    time.Duration // the longest
	counts [buckets]uint64
}

// Quantile is CallTimes.Quantile of package engine.
func (t *Times) Quantile(q float64) time.Duration {
	if t.Count == 0 {
		return 0
	}
	want := uint64(math.Ceil(min(max(q, 0), 1) * float64(t.Count)))
	seen := uint64(0)
	for i, n := range t.counts {
		if seen += n; n > 0 && seen >= want {
			middle := (bucketStart(i) + bucketStart(i+1) - 1) / 2
			return min(time.Duration(middle), t.Max)
		}
	}
	return t.Max
}

// The bounds that Buckets yields: 2^10 ns is a microsecond, 2^34 ns 17 s.
const (
	firstBound = 10
	lastBound  = 34
)

// Buckets is CallTimes.Buckets of package engine.
func (t *Times) Buckets() iter.Seq2[time.Duration, uint64] {
	return func(yield func(time.Duration, uint64) bool) {
		seen, i := uint64(0), 0
		for bound := firstBound; bound <= lastBound; bound++ {
			for ; bucketStart(i) < 1<<bound; i++ {
				seen += t.counts[i]
			}
			if !yield(1<<bound, seen) {
				return
			}
		}
	}
}

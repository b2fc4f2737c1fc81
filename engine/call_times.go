package engine

import (
	"iter"
	"time"

	"github.com/zrankdb/zrank/engine/internal/observe"
)

// CallTimes says how long calls took.
type CallTimes struct {
	Count uint64        // calls that were timed
	Sum   time.Duration // of the times
	Max   time.Duration // the longest
	times observe.Times
}

// callTimes returns times as Stats shows them.
func callTimes(t observe.Times) CallTimes { return CallTimes{t.Count, t.Sum, t.Max, t} }

// Quantile returns the time that a share q of the timed calls, from 0 to 1, did not exceed, to within 1/16: for 0.5 the median, for 0.999
// the time that one call in a thousand exceeded. It returns 0 if no call was timed. O(1): 280 buckets.
func (t *CallTimes) Quantile(q float64) time.Duration { return t.times.Quantile(q) }

// Buckets yields, for every power of two of nanoseconds from 1.024 µs to 17.2 s, how many timed calls took less: the cumulative
// buckets of a Prometheus histogram, exact at these bounds. O(1): 280 buckets.
func (t *CallTimes) Buckets() iter.Seq2[time.Duration, uint64] { return t.times.Buckets() }

// ViewSample is the number of Views for each one that is timed, on average.
const ViewSample = observe.ViewSample

package observe

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBuckets: every time has one bucket, whose bounds hold it and are no more than an eighth apart.
func TestBuckets(t *testing.T) {
	for i := range buckets {
		lo, hi := bucketStart(i), bucketStart(i+1)
		require.Less(t, lo, hi, i)
		require.Equal(t, i, bucketOf(lo))
		require.Equal(t, i, bucketOf(hi-1))
		if lo >= bucketParts {
			require.LessOrEqual(t, float64(hi-lo), float64(lo)/bucketParts, i)
		}
	}
	require.Equal(t, uint64(1)<<bucketTop, bucketStart(buckets))
	for _, ns := range []uint64{1 << bucketTop, 1 << 62, math.MaxUint64} {
		require.Equal(t, buckets-1, bucketOf(ns))
	}
	t.Logf("%d buckets of %d ns to %v", buckets, bucketStart(1), time.Duration(bucketStart(buckets)))
}

// TestQuantiles compares quantiles of 100,000 times with those of the sorted list.
func TestQuantiles(t *testing.T) {
	const seed, n = 3, 100_000
	rng := rand.New(rand.NewPCG(seed, 0))
	for name, next := range map[string]func() time.Duration{
		"uniform":     func() time.Duration { return time.Duration(rng.Int64N(int64(time.Second))) },
		"exponential": func() time.Duration { return time.Duration(rng.ExpFloat64() * float64(50*time.Microsecond)) },
		"two":         func() time.Duration { return []time.Duration{time.Microsecond, 10 * time.Second}[rng.IntN(2)] },
		"long":        func() time.Duration { return time.Duration(rng.Int64N(int64(100 * time.Second))) },
	} {
		var r recorder
		var all []time.Duration
		sum := time.Duration(0)
		for range n {
			d := next()
			r.Add(d)
			all, sum = append(all, d), sum+d
		}
		slices.Sort(all)
		var ct Times
		r.addTo(&ct)
		require.EqualValues(t, n, ct.Count)
		require.Equal(t, sum, ct.Sum)
		require.Equal(t, all[n-1], ct.Max)
		worst := 0.0
		for _, q := range []float64{0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1} {
			want := all[max(int(math.Ceil(q*n))-1, 0)]
			relativeError := math.Abs(float64(ct.Quantile(q)-want)) / float64(max(want, 1))
			require.LessOrEqual(t, math.Abs(float64(ct.Quantile(q)-want)), float64(want)/16+1, "%s %v", name, q)
			if want > 100 {
				worst = max(worst, relativeError)
			}
		}
		bounds := 0
		for bound, count := range ct.Buckets() {
			below, _ := slices.BinarySearch(all, bound)
			require.EqualValues(t, below, count, "%s below %v", name, bound)
			bounds++
		}
		t.Logf("%s: %d times, quantiles off by %.1f %% at most, %d bounds right", name, n, 100*worst, bounds)
	}
}

// TestQuantileEdges: no times at all, negative times, and shares outside 0 to 1.
func TestQuantileEdges(t *testing.T) {
	var ct Times
	require.Zero(t, ct.Quantile(0.5))
	var r recorder
	r.Add(-time.Second)
	r.Add(200 * time.Second)
	r.addTo(&ct)
	require.Zero(t, ct.Quantile(-1))
	require.EqualValues(t, 2, ct.Count)
	require.Equal(t, 200*time.Second, ct.Max)
	require.Less(t, ct.Quantile(0.5), time.Microsecond)
	require.Greater(t, ct.Quantile(2), 100*time.Second)
	for range ct.Buckets() {
		break
	}
}

// TestRecorderConcurrent: no count is lost when goroutines count at once.
func TestRecorderConcurrent(t *testing.T) {
	const goroutines, each = 8, 20_000
	c := NewCounters()
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for i := range each {
				s := c.Mine()
				s.Updates.Add(time.Duration(g*each + i))
				s.Members.Add(1)
				if Sampled() {
					s.Views.Add(time.Microsecond)
				}
			}
		})
	}
	wg.Wait()
	st := c.Totals()
	const n = goroutines * each
	require.EqualValues(t, n, st.Updates.Count)
	require.EqualValues(t, int64(n)*(n-1)/2, st.Updates.Sum)
	require.EqualValues(t, n-1, st.Updates.Max)
	require.Equal(t, n, st.Members)
	require.InDelta(t, n/ViewSample, float64(st.Views.Count), n/ViewSample/10, "ten standard deviations")
	t.Logf("%d goroutines counted %d calls, %d of the sample, in %d stripes", goroutines, n, st.Views.Count, len(c.stripes))
}

// BenchmarkCount measures what counting adds to a call.
func BenchmarkCount(b *testing.B) {
	c := NewCounters()
	parts := map[string]func(){
		"clock":    func() { _ = c.Now() },
		"stripe":   func() { c.Mine() },
		"sample":   func() { Sampled() },
		"recorder": func() { c.Mine().Updates.Add(1234) },
		"update":   func() { began := c.Now(); c.Mine().Updates.Add(c.Now() - began) },
		"view": func() {
			if Sampled() {
				began := c.Now()
				c.Mine().Views.Add(c.Now() - began)
			}
		},
	}
	for _, part := range []string{"clock", "stripe", "sample", "recorder", "update", "view"} {
		do := parts[part]
		b.Run("part="+part+"/goroutines=1", func(b *testing.B) {
			for b.Loop() {
				do()
			}
		})
		b.Run("part="+part+"/goroutines=8", func(b *testing.B) {
			b.SetParallelism(4)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					do()
				}
			})
		})
	}
}

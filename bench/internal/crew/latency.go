package crew

import (
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

// Times from 1 ns to a minute, told to about one per cent.
const (
	shortest = 1
	longest  = int64(time.Minute)
	digits   = 2
)

// Recorder is a histogram of durations. It is for one goroutine.
type Recorder struct{ h *hdrhistogram.Histogram }

// NewRecorder returns an empty recorder.
func NewRecorder() *Recorder { return &Recorder{hdrhistogram.New(shortest, longest, digits)} }

// Record adds a duration. One longer than a minute counts as a minute.
func (r *Recorder) Record(d time.Duration) {
	if err := r.h.RecordValue(min(max(int64(d), shortest), longest)); err != nil {
		panic(fmt.Sprintf("latency: %v of the range refused: %v", d, err))
	}
}

// Merge returns the durations of several recorders.
func Merge(list []*Recorder) *Recorder {
	all := NewRecorder()
	for _, r := range list {
		all.h.Merge(r.h)
	}
	return all
}

// Count returns the number of durations.
func (r *Recorder) Count() int { return int(r.h.TotalCount()) }

// ticks is how many points there are each time that half as many durations are left above.
const ticks = 2

// Points returns the curve of the percentiles as pairs of percentile and ns. The points get denser towards 100. Without durations the
// curve is empty.
func (r *Recorder) Points() (points [][2]float64) {
	if r.Count() == 0 {
		return nil
	}
	for _, b := range r.h.CumulativeDistributionWithTicks(ticks) {
		points = append(points, [2]float64{b.Quantile, float64(b.ValueAt)})
	}
	return points
}

// Into adds the percentiles to the figures. Without durations it adds nothing.
func (r *Recorder) Into(f figure.Figures) {
	if r.Count() == 0 {
		return
	}
	f[figure.Calls] = float64(r.Count())
	f[figure.P50] = float64(r.h.ValueAtQuantile(50))
	f[figure.P99] = float64(r.h.ValueAtQuantile(99))
	f[figure.P999] = float64(r.h.ValueAtQuantile(99.9))
	f[figure.Max] = float64(r.h.Max())
}

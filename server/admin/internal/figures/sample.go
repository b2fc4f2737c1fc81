package figures

import (
	"time"

	"github.com/zrankdb/zrank/engine"
)

// Sample is figures of an engine at one moment, and of the time since the sample before.
type Sample struct {
	At      time.Time
	Commits float64       // per second
	Median  time.Duration // of the Updates since the sample before, to within a factor of two; 0: there were none
	P99     time.Duration // of them, likewise
	Memory  int           // bytes of the sets in memory
	Disk    int64         // bytes of all files
	Log     int64         // bytes of the log
	Lag     time.Duration // age of the oldest commit that is not on the disk
}

// counts is what a sample is the difference of.
type counts struct {
	at      time.Time
	commits uint64
	bounds  []time.Duration // of the histogram of Updates
	below   []uint64        // how many took less
	total   uint64
}

func countsOf(at time.Time, st *engine.Stats) counts {
	c := counts{at: at, commits: st.Commits, total: st.Updates.Count}
	for bound, n := range st.Updates.Buckets() {
		c.bounds, c.below = append(c.bounds, bound), append(c.below, n)
	}
	return c
}

// since returns the sample between two counts.
func (c counts) since(before counts, st *engine.Stats) Sample {
	s := Sample{At: c.at, Memory: st.Memory, Disk: st.Disk, Log: st.Log, Lag: st.Lag}
	if took := c.at.Sub(before.at).Seconds(); took > 0 && c.commits >= before.commits {
		s.Commits = float64(c.commits-before.commits) / took
	}
	s.Median, s.P99 = c.quantile(before, 0.5), c.quantile(before, 0.99)
	return s
}

// quantile returns the first bound that a share q of the calls since before did not exceed.
func (c counts) quantile(before counts, q float64) time.Duration {
	calls := c.total - before.total
	if calls == 0 || len(before.below) != len(c.below) {
		return 0
	}
	for i, bound := range c.bounds {
		if float64(c.below[i]-before.below[i]) >= q*float64(calls) {
			return bound
		}
	}
	return c.bounds[len(c.bounds)-1]
}

// Columns are samples for charts, a column each: the time in seconds since 1970, and figures in the units of their names.
type Columns struct {
	Time     []int64   `json:"time"`
	Commits  []float64 `json:"commits"`
	MedianMS []float64 `json:"medianMs"`
	P99MS    []float64 `json:"p99Ms"`
	MemoryMB []float64 `json:"memoryMb"`
	DiskMB   []float64 `json:"diskMb"`
	LogMB    []float64 `json:"logMb"`
	LagMS    []float64 `json:"lagMs"`
}

// ColumnsOf returns samples as columns.
func ColumnsOf(all []Sample) Columns {
	const mb = 1e6
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }
	c := Columns{Time: []int64{}, Commits: []float64{}}
	for _, s := range all {
		c.Time = append(c.Time, s.At.Unix())
		c.Commits = append(c.Commits, s.Commits)
		c.MedianMS, c.P99MS = append(c.MedianMS, ms(s.Median)), append(c.P99MS, ms(s.P99))
		c.MemoryMB, c.DiskMB, c.LogMB = append(c.MemoryMB, float64(s.Memory)/mb), append(c.DiskMB, float64(s.Disk)/mb), append(c.LogMB, float64(s.Log)/mb)
		c.LagMS = append(c.LagMS, ms(s.Lag))
	}
	return c
}

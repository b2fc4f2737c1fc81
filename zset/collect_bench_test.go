//go:build unix

package zset

import (
	"runtime"
	"testing"
	"time"
)

// BenchmarkCollect measures full collections with a set of a million members live, and with none. It uses one processor, since idle
// ones take part in a collection and wait for each other.
func BenchmarkCollect(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	none, live := time.Hour, time.Hour
	for b.Loop() {
		none = min(none, collection())
		s := onlySet(1_000_000)
		live = min(live, collection())
		runtime.KeepAlive(s)
	}
	b.ReportMetric(float64(none.Microseconds()), "none-us")
	b.ReportMetric(float64(live.Microseconds()), "live-us")
}

// collection returns the CPU time of a full collection, the mean of 100.
func collection() time.Duration {
	runtime.GC()
	began := processTime()
	for range 100 {
		runtime.GC()
	}
	return (processTime() - began) / 100
}

// onlySet is filled without the names, which are garbage then.
func onlySet(n int) *Set {
	s, _ := filled(n)
	return s
}

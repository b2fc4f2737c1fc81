package ratelimit

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/testclock"
)

// BenchmarkAllow measures Allow with one key or many, with two limits and full logs.
func BenchmarkAllow(b *testing.B) {
	for _, durability := range []string{"memory", "interval", "sync"} {
		for _, keys := range []int{1, 10000} {
			for _, most := range []int{100, 10000} {
				b.Run(fmt.Sprintf("durability=%s/keys=%d/max=%d", durability, keys, most), func(b *testing.B) { benchAllow(b, durability, keys, most) })
			}
		}
	}
}

func benchAllow(b *testing.B, durability string, keys, most int) {
	w := testclock.New()
	e := benchEngine(b, durability, w)
	step := 10 * time.Microsecond // between calls: every key gets what its limit allows, and a little more
	l := mustNew(b, e, "l", Limit{max(most/10, 1), time.Duration(most/10*keys) * step}, Limit{most, time.Duration(most*keys) * step * 21 / 20})
	names := make([]string, keys)
	for i := range names {
		names[i] = fmt.Sprintf("user:%d", i)
	}
	if keys == 1 && durability != "sync" {
		for range most { // full from the first call
			w.Add(step)
			mustAllow(b, l, names[0], 1)
		}
	}
	allowed, i := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		w.Add(step)
		r, err := l.Allow(b.Context(), names[i%keys], 1)
		if err != nil {
			b.Fatal(err)
		}
		if r.Allowed {
			allowed++
		}
		i++
	}
	b.ReportMetric(100*float64(allowed)/float64(i), "%allowed")
}

// BenchmarkRefuse measures calls that are refused, which write nothing.
func BenchmarkRefuse(b *testing.B) {
	for _, durability := range []string{"memory", "sync"} {
		b.Run("durability="+durability, func(b *testing.B) {
			l := mustNew(b, benchEngine(b, durability, testclock.New()), "l", Limit{100, time.Hour})
			mustAllow(b, l, "k", 100)
			b.ReportAllocs()
			for b.Loop() {
				if mustAllow(b, l, "k", 1).Allowed {
					b.Fatal("allowed")
				}
			}
		})
	}
}

func benchEngine(b *testing.B, durability string, w *testclock.Clock) *engine.Engine {
	if durability == "memory" {
		return newMemory(b, w)
	}
	level, err := engine.ParseDurability(durability)
	require.NoError(b, err)
	e, err := engine.Open(b.TempDir(), engine.Options{Clock: w.Now, Durability: level})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, e.Close()) })
	return e
}

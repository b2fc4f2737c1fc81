package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/zset"
)

// BenchmarkLimit measures 16 callers that update random members of random sets on the disk, under a memory limit: calls a second, the slowest
// hundredth, and the most that the sets took in relation to the limit. Run it with -benchtime 1x.
func BenchmarkLimit(b *testing.B) {
	for _, x := range []struct{ sets, members, limit int }{ // limit in MiB; 0: none
		{2000, 600, 8},
		{16, 40_000, 8}, {16, 40_000, 16}, {16, 40_000, 32}, {16, 40_000, 0},
		{10_000, 200, 32}, {1000, 2250, 32}, {100, 26_000, 32},
	} {
		b.Run(fmt.Sprintf("sets=%d/members=%d/limit=%d", x.sets, x.members, x.limit), func(b *testing.B) {
			e := filled(b, Sync, x.sets, x.members, x.limit)
			most, waits, took := underLimit(b, e, 16, "set", x.sets, x.members)
			slices.Sort(waits)
			b.ReportMetric(float64(len(waits))/took.Seconds(), "calls/s")
			b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1000, "p99_ms")
			b.ReportMetric(float64(most)/(1<<20), "most_MiB")
			b.ReportMetric(0, "ns/op")
			require.NoError(b, e.Close())
		})
	}
}

// filled returns an engine with sets on the disk.
func filled(b *testing.B, d Durability, sets, members, limit int) *Engine {
	dir := b.TempDir()
	e, err := Open(dir, Options{Durability: None})
	require.NoError(b, err)
	for i := range sets {
		key := fmt.Sprintf("set%d", i)
		mustUpdate(b, e, []string{key}, func(tx *Tx) {
			for j := range members {
				add(b, tx, key, fmt.Sprintf("player:%08d", j), rand.Float64())
			}
		})
	}
	require.NoError(b, e.Close())
	e, err = Open(dir, Options{Durability: d, MemoryLimit: int64(limit) << 20})
	require.NoError(b, err)
	return e
}

// underLimit updates random sets for five seconds. It returns the most memory of all sets, and the time that each call took.
func underLimit(b *testing.B, e *Engine, callers int, name string, sets, members int) (most int64, waits []time.Duration, took time.Duration) {
	var used atomic.Int64
	var wg sync.WaitGroup
	each := make([][]time.Duration, callers)
	began := time.Now()
	for w := range callers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 1))
			for time.Since(began) < 5*time.Second {
				key := fmt.Sprint(name, rng.IntN(sets))
				at := time.Now()
				mustUpdate(b, e, []string{key}, func(tx *Tx) {
					add(b, tx, key, fmt.Sprintf("player:%08d", rng.IntN(members)), rng.Float64())
				})
				each[w] = append(each[w], time.Since(at))
				raise(&used, e.keys.Accounts.Used.Load())
			}
		})
	}
	wg.Wait()
	return used.Load(), slices.Concat(each...), time.Since(began)
}

// BenchmarkLimitHot measures 8 callers that update one set, which stays in memory, beside 8 that update random ones of 1,000 sets, of which
// a third fits under the limit, while others are united: calls a second of each, and the slowest thousandth of the first. Run it with
// -benchtime 1x.
func BenchmarkLimitHot(b *testing.B) {
	e := filled(b, Interval, 1000, 2250, 32)
	defer e.Close()
	mustUpdate(b, e, []string{"hot0"}, func(tx *Tx) { add(b, tx, "hot0", "player", 0) })
	var cold []time.Duration
	var wg sync.WaitGroup
	wg.Go(func() { _, cold, _ = underLimit(b, e, 8, "set", 1000, 2250) })
	unions := 0
	wg.Go(func() { unions = unite(b, e, 1000) })
	most, hot, took := underLimit(b, e, 8, "hot", 1, 2250)
	wg.Wait()
	slices.Sort(hot)
	b.ReportMetric(float64(len(hot))/took.Seconds(), "hot_calls/s")
	b.ReportMetric(float64(len(cold))/took.Seconds(), "cold_calls/s")
	b.ReportMetric(float64(unions)/took.Seconds(), "unions/s")
	b.ReportMetric(float64(hot[len(hot)*999/1000].Microseconds())/1000, "hot_p99.9_ms")
	b.ReportMetric(float64(most)/(1<<20), "most_MiB")
	b.ReportMetric(0, "ns/op")
}

// unite makes unions of 50 of the sets for five seconds, and returns how many.
func unite(b *testing.B, e *Engine, sets int) (n int) {
	for began := time.Now(); time.Since(began) < 5*time.Second; n++ {
		var keys []string
		for i := range 50 {
			keys = append(keys, fmt.Sprint("set", (n*50+i)%sets))
		}
		_, err := e.Union(context.Background(), zset.Combine[float64]{}, keys...)
		require.NoError(b, err)
	}
	return n
}

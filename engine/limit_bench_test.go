package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
			dir := b.TempDir()
			e, err := Open(dir, Options{Durability: None})
			require.NoError(b, err)
			for i := range x.sets {
				key := fmt.Sprintf("set%d", i)
				mustUpdate(b, e, []string{key}, func(tx *Tx) {
					for j := range x.members {
						add(b, tx, key, fmt.Sprintf("player:%08d", j), rand.Float64())
					}
				})
			}
			require.NoError(b, e.Close())
			e, err = Open(dir, Options{MemoryLimit: int64(x.limit) << 20})
			require.NoError(b, err)
			most, waits, took := underLimit(b, e, x.sets, x.members)
			slices.Sort(waits)
			b.ReportMetric(float64(len(waits))/took.Seconds(), "calls/s")
			b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1000, "p99_ms")
			b.ReportMetric(float64(most)/(1<<20), "most_MiB")
			b.ReportMetric(0, "ns/op")
			require.NoError(b, e.Close())
		})
	}
}

// underLimit updates random sets for five seconds. It returns the most memory of all sets, and the time that each call took.
func underLimit(b *testing.B, e *Engine, sets, members int) (most int64, waits []time.Duration, took time.Duration) {
	const callers = 16
	var used atomic.Int64
	var wg sync.WaitGroup
	each := make([][]time.Duration, callers)
	began := time.Now()
	for w := range callers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 1))
			for time.Since(began) < 5*time.Second {
				key := fmt.Sprintf("set%d", rng.IntN(sets))
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

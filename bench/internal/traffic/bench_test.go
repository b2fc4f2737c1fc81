package traffic

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkCalls is for profiles of the systems in this process, the engine's on the disk of the temporary directory:
//
//	go test -run ^$ -bench 'Calls/case=hot.memory/system=zrank$/mix=50.50/goroutines=1$' -cpuprofile cpu.out ./internal/traffic
func BenchmarkCalls(b *testing.B) {
	for _, c := range Cases {
		for _, system := range c.Systems {
			if OfRedis(system) {
				continue
			}
			for _, mix := range Mixes {
				for _, n := range Callers {
					name := fmt.Sprintf("case=%s/system=%s/mix=%s/goroutines=%d", dotted(c.Name), dotted(system), dotted(mix.Title), n)
					b.Run(name, func(b *testing.B) { benchmarkCalls(b, c, system, mix, n) })
				}
			}
		}
	}
}

func benchmarkCalls(b *testing.B, c Case, system string, mix Mix, goroutines int) {
	s, err := Start(b.Context(), Options{Case: c.Name, System: system, Dir: b.TempDir(), N: 100_000, Sets: 10_000, Seed: 1})
	require.NoError(b, err)
	b.ReportAllocs()
	b.ResetTimer()
	var all sync.WaitGroup
	errs := make([]error, goroutines)
	for id, g := range s.crew[:goroutines] {
		all.Go(func() {
			for made, calls := 0, 0; made < b.N/goroutines && errs[id] == nil; made += calls {
				calls, errs[id] = g.turn(mix)
			}
		})
	}
	all.Wait()
	b.StopTimer()
	require.NoError(b, errors.Join(errs...))
	_, err = s.End()
	require.NoError(b, err)
}

// dotted takes the slashes out of a name, which part benchmarks.
func dotted(name string) string { return strings.ReplaceAll(name, "/", ".") }

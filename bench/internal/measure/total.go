package measure

import (
	"runtime"
	"time"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

// Total adds up the turns of a loop of calls: CPU time of the calling thread, objects and bytes allocated.
type Total struct {
	calls          int
	took           time.Duration
	objects, bytes uint64
}

// Add makes calls for the given CPU time, after an eighth of it as warm-up, which does not count.
func (t *Total) Add(budget time.Duration, call func() error) error {
	if _, _, err := repeat(budget/8, call); err != nil {
		return err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	calls, took, err := repeat(budget, call)
	runtime.ReadMemStats(&after)
	t.calls, t.took = t.calls+calls, t.took+took
	t.objects, t.bytes = t.objects+after.Mallocs-before.Mallocs, t.bytes+after.TotalAlloc-before.TotalAlloc
	return err
}

// clockEvery is the number of calls between two looks at the clock.
const clockEvery = 16

// repeat makes calls until the thread has used the given CPU time.
func repeat(budget time.Duration, call func() error) (calls int, took time.Duration, err error) {
	for start := threadTime(); took < budget; took = threadTime() - start {
		for range clockEvery {
			if err := call(); err != nil {
				return calls, took, err
			}
		}
		calls += clockEvery
	}
	return calls, took, nil
}

// Figures returns the means.
func (t *Total) Figures() figure.Figures {
	n := float64(t.calls)
	return figure.Figures{figure.Call: float64(t.took) / n, figure.Allocs: float64(t.objects) / n, figure.AllocBytes: float64(t.bytes) / n}
}

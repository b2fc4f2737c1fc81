package window

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestManyGoroutines: goroutines that ask for different periods get the right ones, although Calendar caches the last result of any of them.
func TestManyGoroutines(t *testing.T) {
	const workers, days = 8, 300
	c := compile(t, Window{Kind: Day, TimeZone: "America/Havana"})
	start := instant(t, "2026-01-01T12:00:00Z")
	var want []Period
	for i := range days {
		want = append(want, mustAt(t, compile(t, Window{Kind: Day, TimeZone: "America/Havana"}), start.AddDate(0, 0, i)))
	}
	wrong := make([]int, workers)
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			for i := range 20 * days {
				day := (i/2 + worker*37) % days
				p, err := c.At(start.AddDate(0, 0, day).Add(time.Duration(i%2) * time.Hour))
				if err != nil || show(p) != show(want[day]) {
					wrong[worker]++
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, make([]int, workers), wrong)
	t.Logf("%d goroutines made %d calls each", workers, 20*days)
}

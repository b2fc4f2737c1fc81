package ratelimit

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/testclock"
)

// TestExactlyTheLimit: goroutines ask for more than the limits allow, and get exactly the number that they allow in each window.
func TestExactlyTheLimit(t *testing.T) {
	w := testclock.New()
	l := mustNew(t, newMemory(t, w), "l", Limit{50, time.Second}, Limit{120, time.Minute})
	for window, want := range []int64{50, 50, 20, 0} {
		var yes, no atomic.Int64
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				for range 40 {
					if r, err := l.Allow(t.Context(), "k", 1); err == nil && r.Allowed {
						yes.Add(1)
					} else if err == nil {
						no.Add(1)
					}
				}
			})
		}
		wg.Wait()
		require.Equal(t, want, yes.Load(), "window %d", window)
		require.Equal(t, 640-want, no.Load())
		w.Add(time.Second)
	}
	t.Logf("4 windows, 16 goroutines, 2560 calls: 50, 50, 20 and 0 allowed")
}

// TestAllTogether: goroutines ask for overlapping pairs of keys while time goes on. No key gets more events than its limit allows in that time.
func TestAllTogether(t *testing.T) {
	w := testclock.New()
	limit := Limit{30, time.Second}
	l := mustNew(t, newMemory(t, w), "l", limit)
	const keys = 4
	var allowed [keys]atomic.Int64
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range times(2000) {
				a, b := (g+i)%keys, (g+i+1)%keys
				v, err := AllowAll(t.Context(), Ask{l, fmt.Sprint(b), 1}, Ask{l, fmt.Sprint(a), 2})
				if err == nil && v.Allowed {
					allowed[a].Add(2)
					allowed[b].Add(1)
				}
				w.Add(100 * time.Microsecond)
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	total := 0
	windows := int64(w.Now().Sub(testclock.Noon)/limit.Window) + 1
	for i := range allowed {
		n := allowed[i].Load()
		require.LessOrEqual(t, n, windows*int64(limit.Max))
		require.Greater(t, n, (windows-1)*int64(limit.Max)/2)
		require.LessOrEqual(t, events(t, l, fmt.Sprint(i)), limit.Max)
		total += int(n)
	}
	t.Logf("%d events in %d keys over %d windows: none over its limit", total, keys, windows)
}

// Package hangtest makes a test fail instead of hang.
package hangtest

import (
	"testing"
	"time"
)

// most is how long a call may take before it counts as hanging.
const most = 2 * time.Minute

// Do runs do in a new goroutine. It fails the test if do has not returned after two minutes, or after three quarters of the time until
// the test's deadline.
func Do(t testing.TB, do func()) {
	t.Helper()
	bound := most
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if at, ok := d.Deadline(); ok {
			bound = min(bound, time.Until(at)*3/4)
		}
	}
	timer := time.NewTimer(bound)
	defer timer.Stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-timer.C:
		t.Fatal("hangs")
	}
}

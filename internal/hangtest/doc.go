// Package hangtest makes a test fail that would hang.
package hangtest

import (
	"testing"
	"time"
)

// most is how long a call may take that is not thought to hang.
const most = 2 * time.Minute

// Do runs do in a goroutine of its own, and fails the test if it has not come back after two minutes, or three quarters of what the
// test has left.
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

// Package testclock is a clock for tests. Its time changes only when the test sets it.
package testclock

import (
	"sync"
	"time"
)

// Noon is the time of a new clock.
var Noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// Clock may be read and moved from any goroutine.
type Clock struct {
	mu sync.Mutex
	t  time.Time
}

// New returns a clock whose time is Noon.
func New() *Clock { return &Clock{t: Noon} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

// Add moves the clock, back if d is below 0.
func (c *Clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// Set moves the clock to a time.
func (c *Clock) Set(t time.Time) { c.Add(t.Sub(c.Now())) }

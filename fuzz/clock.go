package fuzz

import (
	"sync/atomic"
	"time"
)

// scriptsBegin is the time at which scripts begin: F7.
var scriptsBegin = time.Unix(1_000_000_000, 0)

// clock is a machine's. It goes on when the script says so.
type clock struct{ passed atomic.Int64 } // nanoseconds

func (c *clock) now() time.Time { return scriptsBegin.Add(time.Duration(c.passed.Load())) }

func (c *clock) sleep(op Op) { c.passed.Add(int64(sleepOf(op))) }

// sleepOf is how long an operation sleeps; the time never goes back.
func sleepOf(op Op) time.Duration { return time.Duration(max(op.Lo, 0)) * time.Second }

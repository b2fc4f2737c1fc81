package fuzz

import (
	"strconv"
	"sync/atomic"
	"time"
)

// scriptsBegin is the time at which scripts begin: F7.
var scriptsBegin = time.Unix(1_000_000_000, 0)

// clock is a machine's. It goes on when the script says so.
type clock struct{ passed atomic.Int64 } // nanoseconds

func (c *clock) now() time.Time { return scriptsBegin.Add(time.Duration(c.passed.Load())) }

func (c *clock) sleep(op Op) { c.passed.Add(int64(sleepOf(op))) }

// passedText is how far it has gone, for set.
func (c *clock) passedText() string { return strconv.FormatInt(c.passed.Load(), 10) }

// set makes it go on from where another has come to.
func (c *clock) set(passed string) error {
	n, err := strconv.ParseInt(passed, 10, 64)
	c.passed.Store(n)
	return err
}

// sleepOf is how long an operation sleeps; the time never goes back.
func sleepOf(op Op) time.Duration { return time.Duration(max(op.Lo, 0)) * time.Second }

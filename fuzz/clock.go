package fuzz

import (
	"strconv"
	"sync/atomic"
	"time"
)

// clock is a machine's. It goes on when the script says so.
type clock struct{ passed atomic.Int64 } // nanoseconds

func (c *clock) now() time.Time { return scriptsBegin.Add(time.Duration(c.passed.Load())) }

func (c *clock) sleep(op Op) { c.passed.Add(int64(op.sleep())) }

// passedText is how far it has gone, for set.
func (c *clock) passedText() string { return strconv.FormatInt(c.passed.Load(), 10) }

// set makes it go on from where another has come to.
func (c *clock) set(passed string) error {
	n, err := strconv.ParseInt(passed, 10, 64)
	c.passed.Store(n)
	return err
}

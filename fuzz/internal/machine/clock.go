package machine

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Clock is a machine's. It goes on when the script says so.
type Clock struct{ passed atomic.Int64 } // nanoseconds

// Now returns the time.
func (c *Clock) Now() time.Time { return script.Begin.Add(time.Duration(c.passed.Load())) }

// Sleep moves the clock by as much as the operation sleep says.
func (c *Clock) Sleep(op script.Op) { c.passed.Add(int64(op.Sleep())) }

// Elapsed is how far it has gone, for set.
func (c *Clock) Elapsed() string { return strconv.FormatInt(c.passed.Load(), 10) }

// Set makes it go on from where another has come to.
func (c *Clock) Set(passed string) error {
	n, err := strconv.ParseInt(passed, 10, 64)
	c.passed.Store(n)
	return err
}

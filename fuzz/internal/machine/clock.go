package machine

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Clock is the clock of a machine. It moves only when the script says sleep.
type Clock struct{ passed atomic.Int64 } // nanoseconds

// Now returns the time.
func (c *Clock) Now() time.Time { return script.Begin.Add(time.Duration(c.passed.Load())) }

// Sleep moves the clock by as much as the operation sleep says.
func (c *Clock) Sleep(op script.Op) { c.passed.Add(int64(op.Sleep())) }

// Elapsed returns how far the clock has moved, as Set reads it.
func (c *Clock) Elapsed() string { return strconv.FormatInt(c.passed.Load(), 10) }

// Set moves the clock to where another clock stands. Errors: a text that Elapsed does not write.
func (c *Clock) Set(passed string) error {
	n, err := strconv.ParseInt(passed, 10, 64)
	c.passed.Store(n)
	return err
}

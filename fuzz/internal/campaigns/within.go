package campaigns

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/runner"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// HangError is the error of a script that does not end. Its goroutines keep running.
type HangError struct {
	Config string
	After  time.Duration
}

// Error names the configuration and the time.
func (e *HangError) Error() string {
	return fmt.Sprintf("fuzz: %s: the script has not ended after %v", e.Config, e.After)
}

// timeoutTicks is the number of ticks in a timeout. A ticker drops the ticks that nobody receives, so time in which other processes have all
// processors hardly counts.
const timeoutTicks = 5000

// RunWithin is Run with a timeout. It also returns when ctx is done. In both cases the run itself goes on. Errors: those of Run,
// *HangError, that of ctx.
func RunWithin(ctx context.Context, c machine.Config, ops []script.Op, timeout time.Duration) (runner.Result, error) {
	type end struct {
		result runner.Result
		err    error
	}
	ended := make(chan end, 1)
	go func() {
		result, err := runner.Run(c, ops)
		ended <- end{result, err}
	}()
	ticker := time.NewTicker(max(timeout/timeoutTicks, 1))
	defer ticker.Stop()
	for range timeoutTicks {
		select {
		case e := <-ended:
			return e.result, e.err
		case <-ctx.Done():
			return runner.Result{}, ctx.Err()
		case <-ticker.C:
		}
	}
	return runner.Result{}, &HangError{c.Name, timeout}
}

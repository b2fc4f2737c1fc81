package fuzz

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/fuzz/internal/runner"
)

// HangError is returned for a script that does not end. Its goroutines are still there.
type HangError struct {
	Config string
	After  time.Duration
}

// Error says what does not end.
func (e *HangError) Error() string {
	return fmt.Sprintf("fuzz: %s: the script has not ended after %v", e.Config, e.After)
}

// RunWithin is Run with a limit to how long it may take, and to how long the caller waits: until ctx is over. What has not ended by
// then goes on. Errors: those of Run, *HangError, that of ctx.
func RunWithin(ctx context.Context, c Config, ops []Op, patience time.Duration) (Result, error) {
	type end struct {
		result Result
		err    error
	}
	ended := make(chan end, 1)
	go func() {
		result, err := runner.Run(c, ops)
		ended <- end{result, err}
	}()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case e := <-ended:
		return e.result, e.err
	case <-ctx.Done():
		return Result{}, ctx.Err()
	case <-limit.C:
		return Result{}, &HangError{c.Name, patience}
	}
}

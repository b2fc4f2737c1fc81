package settlement

import (
	"context"
	"time"
)

// rest waits as long as the work since begin has taken, so that half of a processor is left to others. Error: that of ctx.
func rest(ctx context.Context, begin time.Time) error {
	select {
	case <-time.After(time.Since(begin)):
	case <-ctx.Done():
	}
	return ctx.Err()
}

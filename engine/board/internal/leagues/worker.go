package leagues

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/engine/board/internal/catalog"
)

// retryDelay is the delay of the worker after an error, or when a board was being migrated.
const retryDelay = time.Second

// Start starts the goroutine that settles the cohorts of closed periods.
func Start(c *catalog.Catalog) *catalog.Background {
	c.WakeCohorts()
	return catalog.Go(func(ctx context.Context) { run(ctx, c) })
}

// run settles what is due, until ctx ends or the engine is closed.
func run(ctx context.Context, c *catalog.Catalog) {
	timer := time.NewTimer(retryDelay)
	defer timer.Stop()
	for {
		timer.Reset(retryDelay)
		select {
		case <-ctx.Done():
			return
		case <-c.Engine.Done():
			return
		case <-c.Cohorts:
		case <-timer.C:
		}
		if _, err := SettleDue(ctx, c); err != nil && ctx.Err() == nil {
			c.Log.Error("board: cohorts cannot be settled", "err", err)
		}
	}
}

package settlement

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/engine/board/internal/catalog"
)

// maxSleep is the longest sleep of the worker, so that it notices when an award is to be tried again, and its delay after an error.
const maxSleep = time.Second

// Start starts the goroutine that settles closed periods and delivers their awards. When it is stopped, the context of a Grant that is running ends.
func Start(c *catalog.Catalog) *catalog.Background {
	c.WakeAwards()
	return catalog.Go(func(ctx context.Context) { run(ctx, c) })
}

// run settles and delivers what is due, until ctx ends or the engine is closed.
func run(ctx context.Context, c *catalog.Catalog) {
	timer := time.NewTimer(maxSleep)
	defer timer.Stop()
	for {
		timer.Reset(maxSleep)
		select {
		case <-ctx.Done():
			return
		case <-c.Engine.Done():
			return
		case <-c.Awards:
		case <-timer.C:
		}
		if _, err := SettleDue(ctx, c); err != nil && ctx.Err() == nil {
			c.Log.Error("board: periods cannot be settled", "err", err)
		}
		if _, err := DeliverDue(ctx, c); err != nil && ctx.Err() == nil {
			c.Log.Error("board: awards cannot be delivered", "err", err)
		}
	}
}

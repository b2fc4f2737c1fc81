package leagues

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/catalog"
)

// Start starts the goroutine that settles the cohorts of closed periods, and empties queues.
func Start(c *catalog.Catalog) *catalog.Background {
	c.WakeCohorts()
	return catalog.Go(func(ctx context.Context) { catalog.Repeat(ctx, c, c.Cohorts, func() { run(ctx, c) }) })
}

// run settles what is due.
func run(ctx context.Context, c *catalog.Catalog) {
	if _, err := SettleDue(ctx, c); err != nil && ctx.Err() == nil {
		c.Log.Error("board: cohorts cannot be settled", "err", err)
	}
}

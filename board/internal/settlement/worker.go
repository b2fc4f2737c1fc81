package settlement

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/catalog"
)

// Start starts the goroutine that settles closed periods and delivers their awards. When it is stopped, the context of a Grant that is running ends.
func Start(c *catalog.Catalog) *catalog.Background {
	c.WakeAwards()
	return catalog.Go(func(ctx context.Context) { catalog.Repeat(ctx, c, c.Awards, func() { run(ctx, c) }) })
}

// run settles and delivers what is due.
func run(ctx context.Context, c *catalog.Catalog) {
	if _, err := SettleDue(ctx, c); err != nil && ctx.Err() == nil {
		c.Log.Error("board: periods cannot be settled", "err", err)
	}
	if _, err := DeliverDue(ctx, c); err != nil && ctx.Err() == nil {
		c.Log.Error("board: awards cannot be delivered", "err", err)
	}
}

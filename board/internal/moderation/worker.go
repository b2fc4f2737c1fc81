package moderation

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/groups"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
)

// pause is how long the goroutine waits after an error.
const pause = time.Second

// Start starts the goroutine that indexes closed periods, resumes jobs, and forgets the members of groups that transactions have dissolved.
func Start(c *catalog.Catalog) *catalog.Background {
	c.WakeClosed()
	return catalog.Go(func(ctx context.Context) { workWhenDue(ctx, c) })
}

// workWhenDue does what is due each time it is woken, until ctx ends or the engine is closed.
func workWhenDue(ctx context.Context, c *catalog.Catalog) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.Engine.Done():
			return
		case <-c.Closed:
		}
		if work(ctx, c) {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-c.Engine.Done():
			return
		case <-time.After(pause):
			c.WakeClosed()
		}
	}
}

// work does what is due, and reports whether nothing is left.
func work(ctx context.Context, c *catalog.Catalog) (done bool) {
	done = true
	if err := groups.ForgetGone(ctx, c); err != nil {
		if done = false; ctx.Err() == nil && c.CheckOpen() == nil {
			c.Log.Error("board: members of dissolved groups cannot be forgotten", "err", err)
		}
	}
	if err := groups.PrunePast(ctx, c); err != nil {
		if done = false; ctx.Err() == nil && c.CheckOpen() == nil {
			c.Log.Error("board: the history of groups cannot be pruned", "err", err)
		}
	}
	for _, b := range c.All() {
		err := places.All(ctx, b, b.State())
		if err == nil {
			err = Resume(ctx, b)
		}
		if err == nil {
			continue
		}
		if done = false; err != state.ErrAgain && ctx.Err() == nil && c.CheckOpen() == nil {
			c.Log.Error("board: closed periods cannot be indexed or changed", "board", b.State().Name, "err", err)
		}
	}
	return done
}

package checkpoint

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
)

// Compact takes a snapshot and compacts the store. It emits EventCompact before and after.
func (c *Manager) Compact(ctx context.Context, progress func(persist.Compaction)) (persist.Compaction, error) {
	c.events.Emit(observe.Event{Kind: observe.EventCompact})
	began := time.Now()
	sum, err := c.compact(ctx, progress)
	c.events.Emit(observe.Event{Kind: observe.EventCompact, Ended: true, Duration: time.Since(began), Bytes: sum.After, Err: err})
	return sum, err
}

// compact is Compact without events. The snapshot cuts the log after whole groups: Barrier ends the group of the last commit before the call.
func (c *Manager) compact(ctx context.Context, progress func(persist.Compaction)) (sum persist.Compaction, err error) {
	if err := c.Store.Barrier(ctx); err != nil {
		return sum, err
	}
	if err := c.Snapshot(); err != nil {
		return sum, err
	}
	return c.Store.Compact(ctx, progress)
}

package periods

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// copyTries is the number of copies that copyRolling makes beside writers.
const copyTries = 3

// copyRolling returns a copy of the ranking of a rolling window as it is at one moment. If nothing was applied during a copy and nothing is due after
// it, nothing was due during the copy. If something was each time, the last copy is made with the ranking locked.
func copyRolling(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, key string) (z *zset.IntSet, err error) {
	for range copyTries {
		if err := rolling.Settle(ctx, b, st, t); err != nil {
			return nil, err
		}
		raised := rolling.Raised(b, t)
		z, _, err = b.Engine().CopyInts(ctx, key, st.Form)
		if err != nil || !rolling.IsDue(b, t) && rolling.Raised(b, t) == raised {
			return z, err
		}
	}
	for due := true; due && err == nil; {
		if err = rolling.Settle(ctx, b, st, t); err != nil {
			return nil, err
		}
		err = b.Engine().View(ctx, func(tx *engine.Tx) error {
			set, err := tx.IntSet(key, st.Form)
			if err == nil {
				err = ctx.Err()
			}
			if due = rolling.IsDue(b, t); err == nil && !due {
				z = set.Copy()
			}
			return err
		}, key)
	}
	return z, err
}

package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/feed"
	"github.com/zrankdb/zrank/engine"
)

// maxReported is the number of skipped rows that are reported one by one.
const maxReported = 10

// skip reports a bad row and counts it.
func (r *replay) skip(bad *events.BadRowError, bar *bar) {
	r.refused.add(bad)
	if r.refused.rows <= maxReported {
		bar.say(fmt.Sprintf("zrank: skipped: %v", bad))
	}
	if r.refused.rows == maxReported {
		bar.say("zrank: further bad rows are counted only")
	}
}

// commit applies the batch together with the position after it. If a board refuses a row, it commits the rows before that one.
func (r *replay) commit(ctx context.Context, in *input, bar *bar) error {
	items := in.batch.Items
	if p := in.position(); p.Rows == 0 && !p.Done {
		return nil
	}
	err := r.apply(ctx, in, items, in.position())
	if refusal := new(feed.Refusal); errors.As(err, &refusal) {
		items = items[:refusal.Index]
		if refusal.Index > 0 {
			if err := r.apply(ctx, in, items, items[refusal.Index-1].Behind); err != nil {
				return fmt.Errorf("%s: %w", in.path, err)
			}
		}
		r.applied += int64(len(items))
		return in.badRow(in.batch.Items[refusal.Index].Line, refusal.Err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", in.path, err)
	}
	in.tail.refused += in.batch.Before
	for i := range items {
		it := &items[i]
		if it.Bad != nil {
			bad := in.badRow(it.Line, it.Bad)
			r.skip(bad, bar)
			in.tail.add(bad.Fault, 1)
		} else {
			r.applied++
			in.tail.taken(it.Line)
		}
		in.tail.refused += it.After
	}
	return nil
}

// apply commits events and the position after them.
func (r *replay) apply(ctx context.Context, in *input, items []feed.Item, behind events.Position) error {
	b, err := json.Marshal(stored{behind, in.specs.All, in.Columns()})
	if err != nil {
		return err
	}
	return in.feed.Commit(ctx, items, r.flags.skipBad, func(tx *engine.Tx) error {
		was, _, err := tx.Get(in.key)
		if err != nil || string(was) == string(b) {
			return err
		}
		return tx.Put(in.key, b)
	})
}

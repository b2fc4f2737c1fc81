package replay

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
)

// batchBytes bounds what a batch writes to the log, well below the largest commit.
const batchBytes = 8 << 20

// fill reads events into the batch. It stops when the batch is full, when the next read would wait for a stream's writer, or when the input
// ends or fails. end is the error of the input: io.EOF at its end, nil if it goes on.
func (r *replay) fill(ctx context.Context, in *input, bar *bar) (end error) {
	b := &in.batch
	in.feed.Next(b)
	if in.held != nil {
		b.Add(ctx, *in.held)
		in.held = nil
	}
	in.taken = in.Position()
	for len(b.Items) < r.flags.batch && b.Bytes*max(len(in.specs.All[0].Windows), 1) < batchBytes {
		if len(b.Items) > 0 && !in.Ready() {
			return nil
		}
		ev, err := in.Next()
		if bad := new(events.BadRowError); errors.As(err, &bad) && r.flags.skipBad {
			r.skip(bad, bar)
			in.Skip()
			in.taken = in.Position()
			b.Skipped()
			continue
		}
		if err != nil {
			return err
		}
		if ev.Board == "" {
			ev.Board = in.specs.DefaultBoard()
		}
		it, err := in.feed.Item(ctx, ev, in.Position())
		if err != nil {
			in.held = &it
			return fmt.Errorf("%s:%d: %w", in.path, ev.Line, err)
		}
		if !b.Add(ctx, it) {
			in.held = &it
			return nil
		}
		in.taken = it.Behind
	}
	return nil
}

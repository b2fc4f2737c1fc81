package move

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine/board/move"
)

// run moves the boards, or gives up moving them.
func (o *options) run(c *cobra.Command, names []string) error {
	redis.SetLogger(quiet{})
	if there, err := o.onServer(c.Context()); there != nil || err != nil {
		if err != nil {
			return err
		}
		defer there.client.Close()
		return there.run(c, names)
	}
	var all []moved
	err := o.ends(func(from, to move.Boards) (stored bool, err error) {
		ctx := c.Context()
		if len(names) == 0 {
			if names, err = move.Names(ctx, from); err != nil {
				return false, err
			}
		}
		for _, name := range names {
			if o.abort {
				err = move.Abort(ctx, name, from, to)
			} else {
				var m moved
				if m, err = o.move(ctx, c, name, from, to); err == nil {
					all = append(all, m)
				}
			}
			if err != nil {
				return len(all) > 0 || errors.Is(err, move.ErrLeaving), fmt.Errorf("%s: %w", show.Printable(name), err)
			}
		}
		return true, nil
	})
	if o.abort {
		return err
	}
	if len(all) > 0 || err == nil {
		err = errors.Join(err, movedList.Write(c.OutOrStdout(), o.format, all))
	}
	return err
}

// move moves a board.
func (o *options) move(ctx context.Context, c *cobra.Command, name string, from, to move.Boards) (m moved, err error) {
	began := time.Now()
	b := newBar(c.ErrOrStderr(), name)
	defer b.stop()
	r, err := move.Board(ctx, name, from, to, move.Options{Partial: o.partial, Progress: b.move})
	return moved{Board: name, Periods: r.Periods, Entries: r.Entries, Waited: r.Waited, LeftOut: r.LeftOut, Seconds: time.Since(began).Seconds()}, err
}

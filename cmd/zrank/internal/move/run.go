package move

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/move"
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
		all, err = each(names, func(name string) (moved, error) {
			if o.abort {
				return moved{}, move.Abort(ctx, name, from, to)
			}
			return o.move(ctx, c, name, from, to)
		})
		return err == nil || len(all) > 0 || errors.Is(err, move.ErrLeaving), err
	})
	return o.write(c, all, err)
}

// move moves a board.
func (o *options) move(ctx context.Context, c *cobra.Command, name string, from, to move.Boards) (m moved, err error) {
	began := time.Now()
	b := newBar(c.ErrOrStderr(), name)
	defer b.stop()
	r, err := move.Board(ctx, name, from, to, move.Options{Partial: o.partial, Progress: b.move})
	return moved{Board: name, Periods: r.Periods, Entries: r.Entries, Waited: r.Waited, LeftOut: r.LeftOut, Seconds: time.Since(began).Seconds()}, err
}

package move

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/move"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
)

// remote is a server of zrank that moves its boards itself, by BOARD.MOVE, while it serves them.
type remote struct {
	*options
	client *redis.Client
	comes  bool // boards come to the server
}

// onServer returns the server that has the boards, or that they go to; nil if neither place is a server of zrank. Errors: those of the servers, and of a place that cannot be the
// other one.
func (o *options) onServer(ctx context.Context) (*remote, error) {
	for _, place := range []string{o.from, o.to} {
		if !isURL(place) {
			continue
		}
		is, err := isServer(ctx, place)
		if err != nil {
			return nil, err
		}
		if !is {
			continue
		}
		r := &remote{options: o, comes: place == o.to}
		if !isURL(r.other()) {
			return nil, flags.Errorf("boards of a zrank server go to a cluster or come from one, redis://HOST:PORT, and not from or to a directory")
		}
		at, err := redis.ParseURL(place)
		if err != nil {
			return nil, err
		}
		at.ReadTimeout = -1 // a board takes as long as it takes
		at.MaxRetries = -1
		r.client = redis.NewClient(at)
		return r, nil
	}
	return nil, nil
}

// other returns the place that is not the server.
func (r *remote) other() string {
	if r.comes {
		return r.from
	}
	return r.to
}

// names returns the boards that there are to move.
func (r *remote) names(ctx context.Context) (names []string, err error) {
	if !r.comes {
		return r.client.Do(ctx, "board.info").StringSlice()
	}
	err = r.onCluster(r.from, func(b move.Boards) error {
		names, err = move.Names(ctx, b)
		return err
	})
	return names, err
}

// run has the server move the boards.
func (r *remote) run(c *cobra.Command, names []string) (err error) {
	if len(names) == 0 {
		if names, err = r.names(c.Context()); err != nil {
			return err
		}
	}
	all, err := each(names, func(name string) (moved, error) { return r.move(c.Context(), name) })
	return r.write(c, all, err)
}

// move has the server move a board.
func (r *remote) move(ctx context.Context, name string) (m moved, err error) {
	began, direction := time.Now(), "to"
	if r.comes {
		direction = "from"
	}
	args := []any{"board.move", name, direction, r.other(), "prefix", r.cluster.Prefix, "partitions", r.cluster.Partitions, "replicas", r.cluster.Replicas}
	if r.partial {
		args = append(args, "partial")
	}
	if r.abort {
		return m, r.client.Do(ctx, append(args, "abort")...).Err()
	}
	cmd := r.client.Do(ctx, args...)
	fields, ok := cmd.Val().(map[any]any)
	if err = cmd.Err(); err == nil && !ok {
		err = fmt.Errorf("the server replied %v", cmd.Val())
	}
	number := func(field string) int {
		n, _ := fields[field].(int64)
		return int(n)
	}
	m = moved{Board: name, Periods: number("periods"), Entries: number("entries"), Waited: number("waited"), Seconds: time.Since(began).Seconds()}
	if list, ok := fields["left-out"].([]any); ok {
		for _, x := range list {
			m.LeftOut = append(m.LeftOut, fmt.Sprint(x))
		}
	}
	return m, err
}

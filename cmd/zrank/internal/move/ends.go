package move

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board/cluster"
	"github.com/zrankdb/zrank/board/move"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/engine"
)

// isURL reports whether a place is on a cluster.
func isURL(place string) bool {
	return strings.HasPrefix(place, "redis://") || strings.HasPrefix(place, "rediss://")
}

// isServer reports whether a URL is that of a zrank server. Errors: those of the server.
func isServer(ctx context.Context, url string) (bool, error) {
	o, err := redis.ParseURL(url)
	if err != nil { // addr: a cluster
		return false, nil
	}
	client := redis.NewClient(o)
	defer client.Close()
	info, err := client.Info(ctx, "server").Result()
	if err != nil {
		return false, fmt.Errorf("%s: %w", o.Addr, err)
	}
	return strings.Contains(info, "zrank_version"), nil
}

// ends opens both places and calls fn with them. fn reports whether it has stored something: if not, and it fails, a directory that was not there is removed again.
func (o *options) ends(fn func(from, to move.Boards) (stored bool, err error)) error {
	return o.source(func(from move.Boards) error {
		if isURL(o.to) {
			return o.onCluster(o.to, func(to move.Boards) error {
				_, err := fn(from, to)
				return err
			})
		}
		return explain(o.to, datadir.Make(o.to, engine.Options{}, func(d *datadir.Data) (bool, error) { return fn(from, d.Boards) }))
	})
}

// source opens the place that the boards are in.
func (o *options) source(fn func(move.Boards) error) error {
	if isURL(o.from) {
		return o.onCluster(o.from, fn)
	}
	return explain(o.from, datadir.Open(o.from, datadir.Existing, func(d *datadir.Data) error { return fn(d.Boards) }))
}

// quiet is a logger of go-redis, which would write about connections beside the error.
type quiet struct{}

// Printf implements the logger of go-redis.
func (quiet) Printf(context.Context, string, ...any) {}

func (o *options) onCluster(url string, fn func(move.Boards) error) (err error) {
	boards, err := cluster.Dial(url, o.cluster)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, boards.Close()) }()
	return fn(boards)
}

// explain says what to do about a directory that is in use.
func explain(dir string, err error) error {
	if errors.Is(err, engine.ErrLocked) {
		return fmt.Errorf("%s is in use: name the zrank server that has it open, redis://HOST:PORT, or let the program move its boards with package move of the library (%w)", dir, err)
	}
	return err
}

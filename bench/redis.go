package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/recovery"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// findRedis looks for a redis-server, and says if there is none.
func findRedis(progress io.Writer) (program string, err error) {
	if program, err = redis.Find(); program == "" && err == nil {
		fmt.Fprintln(progress, "no redis-server in the path: not measured")
	}
	return program, err
}

// redis has a redis-server, if there is one in the path, load the same members from its RDB.
func (r *recoveries) redis(ctx context.Context, progress io.Writer, dir string, s *report.Sheet) error {
	program, err := findRedis(progress)
	if program == "" {
		return err
	}
	dir = filepath.Join(dir, report.Redis)
	fmt.Fprintln(progress, "redis: build and save")
	_, err = duringRedis(ctx, program, dir, func(c *redis.Conn) error { return recovery.BuildRedis(c, int(r.n), r.seed) })
	if err != nil {
		return err
	}
	for round := range r.count {
		x := report.Sample{Line: report.LineRedis, System: report.Redis, Round: round}
		fmt.Fprintf(progress, "redis: load, round %d of %d\n", round+1, r.count)
		loaded, err := duringRedis(ctx, program, dir, func(c *redis.Conn) error { return recovery.RedisHolds(c, int(r.n)) })
		if err != nil {
			return err
		}
		x.Seconds = loaded
		x.Figures = figure.Figures{figure.Open: loaded * 1000}
		s.Samples = append(s.Samples, x)
	}
	return nil
}

// duringRedis starts a server, waits until it has loaded what it has, calls f and ends it. It returns how many seconds the
// loading took.
func duringRedis(ctx context.Context, program, dir string, f func(*redis.Conn) error) (loaded float64, err error) {
	server, err := redis.Start(ctx, program, dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	c, err := server.Dial()
	if err != nil {
		return 0, err
	}
	return server.Loaded.Seconds(), errors.Join(f(c), c.Close())
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/recovery"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// redis has a redis-server, if there is one in the path, load the same members from its RDB.
func (r *recoveries) redis(ctx context.Context, progress io.Writer, dir string, s *report.Sheet) error {
	server, err := exec.LookPath(report.Redis + "-server")
	if errors.Is(err, exec.ErrNotFound) {
		fmt.Fprintln(progress, "no redis-server in the path: not measured")
		return nil
	}
	if err != nil {
		return err
	}
	d := redisServer{server, filepath.Join(dir, "redis")}
	if err := os.Mkdir(d.dir, 0o755); err != nil {
		return err
	}
	fmt.Fprintln(progress, "redis: build and save")
	if err := d.during(ctx, func(c *recovery.Redis) error { return c.Build(int(r.n), r.seed) }); err != nil {
		return err
	}
	for round := range r.count {
		x := report.Sample{Line: report.LineRedis, System: report.Redis, Round: round}
		fmt.Fprintf(progress, "redis: load, round %d of %d\n", round+1, r.count)
		err := d.during(ctx, func(c *recovery.Redis) error {
			x.Seconds = c.Loaded.Seconds()
			x.Figures = figure.Figures{figure.Open: x.Seconds * 1000}
			return c.Holds(int(r.n))
		})
		if err != nil {
			return err
		}
		s.Samples = append(s.Samples, x)
	}
	return nil
}

// redisServer is a program and the directory of its RDB.
type redisServer struct{ program, dir string }

// during starts the server, waits until it has loaded what it has, calls f and ends it.
func (d redisServer) during(ctx context.Context, f func(*recovery.Redis) error) error {
	socket := filepath.Join(d.dir, "s")
	cmd := exec.CommandContext(ctx, d.program, "--port", "0", "--unixsocket", socket, "--save", "", "--dir", d.dir,
		"--logfile", "log", "--daemonize", "no")
	if err := cmd.Start(); err != nil {
		return err
	}
	c, err := recovery.DialRedis(ctx, socket)
	if err == nil {
		err = errors.Join(f(c), c.Close())
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // killed
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(d.dir, "log"))
		return fmt.Errorf("redis-server: %w\n%s", err, log)
	}
	return nil
}

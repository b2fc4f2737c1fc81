package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/report"
	"github.com/zrankdb/zrank/bench/internal/served"
)

// servers is what the flags of resp say.
type servers struct {
	rounds
	long    time.Duration
	pause   time.Duration
	names   []string // levels
	program string   // of zrank
	flags   []string // of zrank serve
}

const respHelp = `Resp measures "zrank serve" beside a redis-server, on one set of all members: ZADD, ZINCRBY, ZRANK, ZSCORE and
ZRANGE of 100, by 50 connections that send 16 commands at a time and one, by a client of this program's and by
redis-benchmark, where they are in the path; in memory, and at Interval beside appendfsync everysec. Then the
memory of the processes.

The servers take many short turns in each round, the other one stopped. A ratio is taken within each round. What is
measured is the program zrank, built from this checkout, or the one that --zrank names. Linux only.`

func newResp() *cobra.Command {
	var s servers
	cmd := s.command("resp", "Measure zrank serve beside redis-server", respHelp,
		"  go run . resp\n"+
			"  go run . resp --n 1e5 --levels memory\n"+
			"  go run . resp --zrank /usr/local/bin/zrank --serve --cpus,1\n"+
			"  go run . resp --json > raw.json", s.run)
	f := cmd.Flags()
	f.DurationVar(&s.long, "for", 3*time.Second, "how long the calls of each figure are counted in a round")
	f.DurationVar(&s.pause, "pause", 5*time.Second, "after the members are in, before the memory is read")
	f.StringSliceVar(&s.names, "levels", levelNames(), "what to measure")
	f.StringVar(&s.program, "zrank", "", "the program zrank; empty: it is built")
	f.StringSliceVar(&s.flags, "serve", nil, "more flags for zrank serve, parted by commas")
	return cmd
}

func levelNames() (names []string) {
	for _, l := range served.Levels {
		names = append(names, l.Name)
	}
	return names
}

func (s *servers) run(cmd *cobra.Command) error {
	if !served.Supported() {
		return fmt.Errorf("resp needs Linux: %w", errors.ErrUnsupported)
	}
	if s.long <= 0 {
		return fmt.Errorf("--for is %v; it must be positive", s.long)
	}
	if s.pause < 0 {
		return fmt.Errorf("--pause is %v; it must not be negative", s.pause)
	}
	for _, name := range s.names {
		if _, err := served.LevelNamed(name); err != nil {
			return fmt.Errorf("--levels: %w; there are %s", err, strings.Join(levelNames(), ", "))
		}
	}
	sheet := &report.Sheet{Kind: report.Resp, N: int(s.n), Load: fmt.Sprintf("%v members of 20 bytes in one set, %d connections", s.n.String(), served.Connections),
		Command: fmt.Sprintf("go run . resp --n %v --for %v --pause %v", s.n, s.long, s.pause)}
	for flag, values := range map[string][]string{"levels": s.names, "serve": s.flags} {
		if cmd.Flags().Changed(flag) {
			sheet.Command += " --" + flag + " " + strings.Join(values, ",")
		}
	}
	return s.sheet(cmd, sheet, s.measure)
}

// measure makes the rounds.
func (s *servers) measure(ctx context.Context, progress io.Writer, dir string, sheet *report.Sheet) error {
	server, err := findRedis(progress)
	if err != nil {
		return err
	}
	client := served.FindBenchmark(server)
	if client == "" {
		fmt.Fprintln(progress, "no redis-benchmark in the path: this program's client alone")
	}
	if s.program == "" {
		fmt.Fprintln(progress, "build zrank")
		if s.program, err = build(ctx, dir); err != nil {
			return err
		}
	}
	p := progression{w: progress, of: s.count * len(s.names)}
	for round := range s.count {
		for i := range s.names {
			level, err := served.LevelNamed(s.names[(i+round)%len(s.names)])
			if err != nil {
				return err
			}
			p.start(fmt.Sprintf("round %d of %d: %s", round+1, s.count, level.Title))
			found, err := s.game(level, round, server, client).play(ctx, dir, round)
			p.end(err)
			if err != nil {
				return err
			}
			sheet.Samples = append(sheet.Samples, found...)
		}
	}
	return nil
}

// game is a level, without Redis if there is no server.
func (s *servers) game(level served.Level, round int, server, client string) game {
	programs := map[string]string{served.Zrank: s.program, served.Redis: server}
	systems := slices.DeleteFunc(slices.Clone(served.Systems), func(system string) bool { return programs[system] == "" })
	return game{systems: systems, turns: served.Turns(client != ""), order: func(system, dir string) order {
		return order{Served: &served.Options{
			Level: level.Name, System: system, Dir: dir, Program: programs[system], Flags: s.flags, Benchmark: client, N: int(s.n),
			Seed: s.seed + uint64(round), For: s.long, Pause: s.pause,
		}}
	}}
}

// build makes the program zrank of this checkout in a directory.
func build(ctx context.Context, dir string) (program string, err error) {
	const module = "github.com/zrankdb/zrank"
	root, err := tool(ctx, "list", "-m", "-f", "{{.Dir}}", module)
	if err != nil {
		return "", err
	}
	program = filepath.Join(dir, "zrank")
	_, err = tool(ctx, "build", "-C", strings.TrimSpace(root), "-o", program, "./cmd/zrank")
	return program, err
}

// tool runs the go command and returns what it prints.
func tool(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, failed.Stderr)
	}
	return string(out), err
}

package served

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

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// command is a command on a member at random.
type command struct {
	name string
	// benchmark is the command in the words of redis-benchmark, where __rand_int__ is a number of 12 digits below the number of members.
	benchmark []string
}

// args returns the arguments for a random member of n, with a random whole number as the score or the first rank.
func (c command) args(member string, number float64, n int) []any {
	switch c.name {
	case "ZADD":
		return []any{subject.Arena, number, member}
	case "ZINCRBY":
		return []any{subject.Arena, 1, member}
	case "ZRANGE":
		lo := int(number) % max(1, n-workload.PageLen)
		return []any{subject.Arena, lo, lo + workload.PageLen - 1}
	}
	return []any{subject.Arena, member}
}

// player is a member in the words of redis-benchmark: workload's.
const player = "player:0__rand_int__"

var commands = []command{
	{"ZADD", []string{"ZADD", subject.Arena, "__rand_int__", player}},
	{"ZINCRBY", []string{"ZINCRBY", subject.Arena, "1", player}},
	{"ZRANK", []string{"ZRANK", subject.Arena, player}},
	{"ZSCORE", []string{"ZSCORE", subject.Arena, player}},
	{"ZRANGE", []string{"ZRANGE", subject.Arena, "0", "99"}},
}

// depths are the numbers of commands in a pipeline.
var depths = []int{16, 1}

// The clients. The first determines how many calls the second makes.
const ownClient, redisBenchmark = "client", "redis-benchmark"

var clients = []string{ownClient, redisBenchmark}

// connectionCount is the number of connections.
const connectionCount = 50

var systems = []string{bench.Zrank, bench.Redis}

// levels are those that are measured.
var levels = subject.Levels

// spot is what one turn measures.
type spot struct {
	depth   int
	command command
	client  string
}

// spots is every spot, without those of redis-benchmark where there is none.
func spots(benchmark bool) (list []spot) {
	for _, d := range depths {
		for _, c := range commands {
			list = append(list, spot{d, c, ownClient})
			if benchmark {
				list = append(list, spot{d, c, redisBenchmark})
			}
		}
	}
	return list
}

func line(level string, s spot) string {
	return fmt.Sprintf("%s/%d/%s/%s", level, s.depth, s.command.name, s.client)
}

// process is the line of the memory at a level.
func process(level string) string { return level + "/process" }

// Benchmark is the declaration.
var Benchmark = bench.Benchmark{
	Name: "resp", Title: "The server beside Redis", Short: "Measure zrank serve beside redis-server",
	Long: `Resp measures "zrank serve" beside a redis-server, on one set of all members: ZADD, ZINCRBY, ZRANK, ZSCORE and ZRANGE of 100, by 50
connections that send 16 commands at a time and one, by a client of this program's and by redis-benchmark, where they are in the path; in
memory, at Interval beside appendfsync everysec, and at Sync beside always. Then the memory of the processes.

What is measured is the program zrank, built from this checkout, or the one that --zrank names.`,
	Example: "--n 1e5 --levels memory\n--zrank /usr/local/bin/zrank --serve --cpus,1",
	N:       1_000_000, Redis: true,
	Flags: func(f *pflag.FlagSet, o *bench.Options) {
		f.DurationVar(&o.For, "for", 3*time.Second, "how long the calls of each figure are counted in a round")
		f.DurationVar(&o.Pause, "pause", 5*time.Second, "after the members are in, before the memory is read")
		f.StringSliceVar(&o.Cases, "levels", subject.LevelNames(levels), "what to measure")
		f.StringVar(&o.Program, "zrank", "", "the program zrank; empty: it is built")
		f.StringSliceVar(&o.Serve, "serve", nil, "more flags for zrank serve, with commas between them")
	},
	Plan: plan, Start: start, Tables: tables, Targets: targets(),
	Load: func(o *bench.Options) string {
		return fmt.Sprintf("%s members of 20 bytes in one set, %d connections", bench.Comma(o.N), connectionCount)
	},
	Notes: fmt.Sprintf(`Calls/s, round trips, and CPU time of the server for a call; behind Redis's, zrank over it: above 1x zrank makes more calls, takes longer,
needs more. P: commands that each of %d connections sends before it reads the replies; a round trip is that of all P. client: this
program, a goroutine a connection through redigo; redis-benchmark: Redis's own. Clients share the machine with the server.
ZRANGE: of 100, from a rank at random; by redis-benchmark the first 100. Interval: a power cut takes 1 s of writes at most, as with
appendfsync everysec; Sync: none, as with always. Memory: what the process has resident: once the members are in and after a pause, and
after all calls. A target for all commands is held against the one that is furthest from it.`, connectionCount),
}

func plan(ctx context.Context, o *bench.Options, progress io.Writer) (cases []bench.Case, err error) {
	if o.Pause < 0 {
		return nil, fmt.Errorf("--pause is %v; it must not be negative", o.Pause)
	}
	if err := errors.Join(bench.Choose("levels", o.Cases, subject.LevelNames(levels)), o.FindRedis(progress)); err != nil {
		return nil, err
	}
	for _, name := range []string{filepath.Join(filepath.Dir(o.Redis), redisBenchmark), redisBenchmark} {
		if program, err := exec.LookPath(name); err == nil && o.Benchmark == "" {
			o.Benchmark = program
		}
	}
	if o.Benchmark == "" {
		fmt.Fprintln(progress, "no redis-benchmark in the path: this program's client alone")
	}
	if o.Program == "" {
		fmt.Fprintln(progress, "build zrank")
		if o.Program, err = buildZrank(ctx, o.Dir); err != nil {
			return nil, err
		}
	}
	for _, name := range o.Cases {
		cases = append(cases, bench.Case{Name: name, Title: subject.LevelNamed(name).Title, Systems: o.WithRedis(systems),
			Turns: bench.Passes * len(spots(o.Benchmark != ""))})
	}
	return cases, nil
}

// buildZrank builds the program zrank of this checkout in a directory.
func buildZrank(ctx context.Context, dir string) (program string, err error) {
	root, err := tool(ctx, "list", "-m", "-f", "{{.Dir}}", "github.com/zrankdb/zrank")
	if err != nil {
		return "", err
	}
	program = filepath.Join(dir, "zrank")
	_, err = tool(ctx, "build", "-C", strings.TrimSpace(root), "-o", program, "./cmd/zrank")
	return program, err
}

// tool runs the go command and returns its output.
func tool(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, failed.Stderr)
	}
	return string(out), err
}

// row is the figures of a system; those of Redis are held against zrank's.
func row(title, shown, line, system string, metrics ...figure.Metric) bench.Row {
	r := bench.Row{Title: title, System: shown}
	for _, m := range metrics {
		c := bench.Cell{Ref: bench.Ref{Line: line, System: system, Metric: m}, Quiet: m == figure.P999}
		if system == bench.Redis {
			c.Ours = bench.Zrank
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

func tables(*bench.Result) []bench.Table {
	calls := bench.Table{Head: []string{"calls/s", "p99", "p99.9", "CPU"}}
	memory := bench.Table{Head: []string{"empty", "all members in", "a member", "after the calls", "the most"}}
	for _, l := range levels {
		for _, s := range spots(true) {
			title, before := "", redisBenchmark+": "
			if s.client == ownClient {
				title, before = fmt.Sprintf("%s, P=%d, %s", l.Title, s.depth, s.command.name), ""
			}
			for i, system := range systems {
				if i > 0 {
					title = ""
				}
				calls.Rows = append(calls.Rows, row(title, before+system, line(l.Name, s), system, figure.Rate, figure.P99, figure.P999, figure.CPUCall))
			}
		}
		title := l.Title
		for _, system := range systems {
			memory.Rows = append(memory.Rows, row(title, system, process(l.Name), system, figure.Empty, figure.Filled, figure.Member, figure.Loaded, figure.MemoryPeak))
			title = ""
		}
	}
	return []bench.Table{calls, memory}
}

// linesOf returns the lines of some commands at a level, with spaces between them.
func linesOf(l subject.Level, depth int, client string, of []command) string {
	var lines []string
	for _, c := range of {
		lines = append(lines, line(l.Name, spot{depth, c, client}))
	}
	return strings.Join(lines, " ")
}

// targets are, of Redis's: so much of the throughput at each depth, a p99 so much longer at most, the same CPU time for a call without a pipeline,
// and so much of the memory. At Sync they are the throughput of writes without a pipeline.
func targets() (list []bench.Target) {
	add := func(what, lines string, m figure.Metric, limit float64) {
		list = append(list, bench.Target{What: what, Line: lines, Metric: m, Peer: bench.Redis, Least: m == figure.Rate, Limit: limit, At: 1e6})
	}
	early, atSync := levels[:2], levels[2]
	for _, client := range clients {
		for _, l := range early {
			for _, depth := range depths {
				what, all := fmt.Sprintf("%s, P=%d, %s: ", l.Title, depth, client), linesOf(l, depth, client, commands)
				add(what+"calls/s", all, figure.Rate, map[int]float64{16: 1, 1: 0.9}[depth])
				add(what+"p99", all, figure.P99, 1.3)
				if depth == 1 && client == ownClient { // it is not measured with the other one
					add(what+"CPU", all, figure.CPUCall, 1)
				}
			}
		}
		add(fmt.Sprintf("%s, P=1, %s: writes/s", atSync.Title, client), linesOf(atSync, 1, client, commands[:2]), figure.Rate, 1)
	}
	for _, l := range early {
		add(l.Title+": memory of the process", process(l.Name), figure.Filled, 0.6)
		add(l.Title+": memory after the calls", process(l.Name), figure.Loaded, 0.6)
	}
	return slices.Clip(list)
}

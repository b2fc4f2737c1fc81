package clustered

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/bench"
)

// The cases.
const (
	calling  = "calls"
	scaling  = "masters"
	growing  = "growth"
	replicas = "replicas"
)

var caseNames = []string{calling, scaling, growing, replicas}

// call is a call of a board.
type call struct{ name, title string }

var (
	apply  = call{"apply", "Apply"}
	submit = call{"submit", "Submit, with ranks"}
	rank   = call{"rank", "Rank"}
	top    = call{"top", "Top(10)"}
	around = call{"around", "Around(5)"}

	allCalls = []call{apply, submit, rank, top, around}
)

// partitionCounts are the numbers of partitions that are measured, and most is the one of the other cases.
var partitionCounts = []int{1, 4, 16}

const most = 16

// masterCounts are the numbers of masters of the case masters.
var masterCounts = []int{1, 2, 3}

func partitioned(n int) string { return fmt.Sprint("cluster/P=", n) }

func mastered(n int) string { return fmt.Sprint("cluster/masters=", n) }

func replicated(n int) string { return fmt.Sprint("cluster/replicas=", n) }

// shape is what a system consists of.
type shape struct {
	partitions        int // 0: sets by hand
	masters, replicas int
	wait              int // Options.Replicas
}

// shapeOf returns the shape of a system that has servers.
func shapeOf(system string) shape {
	for _, n := range partitionCounts {
		if system == partitioned(n) {
			return shape{partitions: n, masters: 3}
		}
	}
	for _, n := range masterCounts {
		if system == mastered(n) {
			return shape{partitions: most, masters: n}
		}
	}
	for n := range 2 {
		if system == replicated(n) {
			return shape{partitions: most, masters: 3, replicas: 1, wait: n}
		}
	}
	return shape{masters: 3}
}

// systemsOf returns the systems of a case, those that are compared with first.
func systemsOf(name string) (list []string) {
	switch name {
	case calling:
		list = []string{bench.Zrank, bench.Redis}
		for _, n := range partitionCounts {
			list = append(list, partitioned(n))
		}
	case scaling:
		for _, n := range masterCounts {
			list = append(list, mastered(n))
		}
	case growing:
		list = []string{bench.Zrank, bench.Redis, partitioned(most)}
	case replicas:
		list = []string{replicated(0), replicated(1)}
	}
	return list
}

// callsOf returns what is called in a case, and callersOf by how many callers: one, or those of the options.
func callsOf(name string) []call {
	switch name {
	case scaling:
		return []call{apply, submit, rank}
	case replicas:
		return []call{apply}
	}
	return allCalls
}

func callersOf(name string) []bool {
	if name == calling || name == replicas {
		return []bool{false, true}
	}
	return []bool{true}
}

func line(name string, c call, many bool) string {
	if many {
		return name + "/" + c.name + "/many"
	}
	return name + "/" + c.name + "/1"
}

// memoryLine is the line of the memory of the servers.
func memoryLine(name string) string { return name + "/memory" }

// Benchmark is the declaration.
var Benchmark = bench.Benchmark{
	Name: "cluster", Title: "Boards on a cluster", Short: "Measure boards on a Redis cluster beside an engine and sets by hand",
	Long: `Cluster starts redis-servers of its own on loopback and measures a leaderboard of three windows on them, with 1, 4 and 16 partitions on three masters: Apply,
Submit with ranks, Rank, Top(10) and Around(5), from one caller and from many. Beside it stand the same board on an engine in this process, and what a program would keep by hand on the
same masters: ZINCRBY, ZREVRANK and ZREVRANGE by pipelines. Then what more masters gain, what more members cost, in time and in memory of the servers, and what it costs to wait for a
replica.

Everything runs on this machine: servers, callers and, with --cases replicas, six servers.`,
	Example: "--n 1e4 --cases calls\n--cases growth --sizes 1e4,1e5,1e6 --callers 32",
	N:       20_000, NUsage: "number of players", Redis: true, NoDisk: true,
	Flags: func(f *pflag.FlagSet, o *bench.Options) {
		o.Growth = []int{10_000, 100_000, 1_000_000}
		f.DurationVar(&o.For, "for", 2*time.Second, "how long the calls of each figure are counted in a round")
		f.IntVar(&o.Callers, "callers", 16, "how many callers, where there are many")
		f.Var(bench.SizesFlag(&o.Growth), "sizes", "numbers of players of the case growth")
		f.StringSliceVar(&o.Cases, "cases", caseNames, "what to measure")
	},
	Plan: plan, Start: start, Tables: tables,
	Load: func(o *bench.Options) string { return bench.Comma(o.N) + " players of 20 bytes in each of 3 windows" },
	Notes: `Calls/s of all callers together, and latencies of their calls. Server: CPU time of all servers for a call, kernel included. /redis and /zrank: calls/s over those of sets
by hand, and of the engine. redis: go-redis, one pipeline of ZINCRBY for the three windows, for Submit with ZREVRANK behind each; ZREVRANK and ZSCORE; ZREVRANGE of 10; ZREVRANK, then
ZREVRANGE of 11. Those round scores to doubles, break ties by name, and count a retry twice. zrank: the engine in this process, in memory. P: partitions of the board. masters: all on
this machine, so what more of them gain ends with its processors; CPU of a call says what it would be with more. replicas: three masters with one replica each; 1: each call waits
until the replica has it. Memory: used_memory of all masters for a player and window, live.`,
}

func plan(_ context.Context, o *bench.Options, progress io.Writer) (cases []bench.Case, err error) {
	if err := errors.Join(bench.Choose("cases", o.Cases, caseNames), o.FindRedis(progress)); err != nil {
		return nil, err
	}
	for _, name := range o.Cases {
		systems := slices.DeleteFunc(systemsOf(name), func(s string) bool { return o.Redis == "" && s != bench.Zrank })
		if len(systems) == 0 {
			continue
		}
		c := bench.Case{Name: name, Title: name, Systems: systems, Turns: bench.Passes * len(callsOf(name)) * len(callersOf(name))}
		if name != growing {
			cases = append(cases, c)
			continue
		}
		for _, n := range o.Growth {
			c.N, c.Title = n, fmt.Sprintf("%s, %s players", name, bench.Comma(n))
			cases = append(cases, c)
		}
	}
	return cases, nil
}

// isCluster reports whether a system is boards on a cluster.
func isCluster(system string) bool { return strings.HasPrefix(system, "cluster/") }

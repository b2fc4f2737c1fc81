package measure

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

const growthName, latencyName = "growth", "latency"

// Compare measures everything, beside all peers.
var Compare = bench.Benchmark{
	Name: "compare", Title: "Sorted sets side by side", Short: "Measure zset and its peers side by side",
	Long: `Compare builds a board of n members in zset and in every peer, measures the same operations on each, and prints medians, ratios and the
targets of the design, for each n. --workload says which members and scores the operations take; the targets are stated for uniform.

Each peer runs in a subprocess of its own, the peers take turns, and all get the same load. First every peer is compared with a model; a
wrong answer ends the program.

A quiet machine matters more than many rounds. With n = 1e7 one run of one peer takes minutes, and the largest peers take several GiB.`,
	Example: "--n 1e6\n--n 1e3,1e5,1e6\n--n 1e5 --peers tidwall,map --rounds 5\n--workload hottail\n--workload ../../shared/data/goals/goals.csv.gz",
	N:       1_000_000, MinN: 100, NUsage: "number of members, from 100, or several with commas; a file has its own", NoDisk: true,
	Flags: flags(nil), Plan: plan, Start: start, Load: loaded, Tables: compareTables, Targets: targets,
	Notes: "CPU time of the calling thread; of pebble and redis wall time, since other threads or processes do part of the work, and for redis a\n" +
		"round trip over loopback a call. google, huandu and pebble have no ranks: they count, O(n). The bare map has no order. Ratios are zset's\n" +
		"figure over the peer's: below 1x zset is better. Slowest insert or update: the best round counts, since a stall of the peer's comes\n" +
		"back in every one.",
}

// Growth measures the lines of Core as the board grows.
var Growth = bench.Benchmark{
	Name: growthName, Title: "Growth with the number of members", Short: "Measure zset and its peers as the board grows from 100 members to millions",
	Long: `Growth measures the operations that matter most, memory and collections, with 100 members, 1,000 and so on up to --to, and prints a
column for each size. It measures as compare does. Up to a million it takes some minutes; 1e7 takes an hour and several GB of memory.`,
	Example: "--to 1e7 --peers tidwall\n--to 1e5 --peers pebble,redis --workload zipf",
	NoDisk:  true, Flags: growthFlags, Plan: plan, Start: start, Load: loaded, Tables: growthTables,
	Notes: "A column is a number of members. CPU time of the calling thread; of pebble and redis wall time. Ranks and pages of google, huandu and\n" +
		"pebble are counted, O(n). Collections: of the whole process, the load of the measurement included, which has no pointers.",
}

// Latency times single calls.
var Latency = bench.Benchmark{
	Name: latencyName, Title: "Single calls while the collector runs", Short: "Measure percentiles of single calls on zset and its peers",
	Long: `Latency times single calls on a board of n members, and prints p50, p99, p99.9 and the worst of each operation and peer. Collections run
as they do in a program: 1 KiB of garbage is made between the calls.

It is a closed loop, one caller after its own last call, so a stall counts once, however many callers would have waited (coordinated
omission); pauses has an open one. What the clock itself takes is measured beside: the times include it.`,
	Example: "--n 1e5 --peers tidwall,bytedance --workload zipf\n--n 1e7 --peers tidwall",
	N:       1_000_000, MinN: 100, NUsage: "number of members, from 100; a file has its own", NoDisk: true,
	Flags: flags(nil), Plan: plan, Start: single, Load: loaded, Tables: latencyTables,
	Notes: "Wall time of single calls, two looks at the clock included. Closed loop: one caller makes its next call when the last has returned, so\n" +
		"a stall counts once, however many callers would have waited (coordinated omission); pauses and recover have open loops. 1 KiB of\n" +
		"garbage is made between calls: collections, counted for all calls of the row, run as they do in a program. p99 of 100 calls at least,\n" +
		"p99.9 of 1,000; worst: of all rounds.",
}

func flags(usual []string) func(f *pflag.FlagSet, o *bench.Options) {
	return func(f *pflag.FlagSet, o *bench.Options) {
		f.StringSliceVar(&o.Systems, "peers", usual, "peers besides zset: "+strings.Join(peers.Names()[1:], ", ")+"; none named: all, as far as the machine has them")
		f.StringVar(&o.Workload, "workload", workload.Uniform, "what is done: "+strings.Join(workload.Names(), ", ")+
			", or FILE.csv[.gz] to replay; see workloads")
		f.DurationVar(&o.Budget, "budget", time.Second, "longest loop of one operation; builds take what they take")
	}
}

// growthSizes are the columns of growth.
var growthSizes = []int{100, 1000, 10_000, 100_000, 1_000_000, 10_000_000}

func growthFlags(f *pflag.FlagSet, o *bench.Options) {
	flags([]string{"counted", "tidwall", "map", "bytedance"})(f, o)
	o.Sizes = []int{1_000_000}
	f.Var(bench.SizesFlag(&o.Sizes), "to", "the most members, up to 1e7")
}

// plan finds the peers and the workload, compares the peers with the model, and returns a case for each size.
func plan(_ context.Context, o *bench.Options, progress io.Writer) (cases []bench.Case, err error) {
	load, err := workload.Find(o.Workload)
	if err != nil {
		return nil, fmt.Errorf("--workload: %w", err)
	}
	chosen, missing, err := peers.Select(o.Systems)
	if err != nil {
		return nil, fmt.Errorf("--peers: %w", err)
	}
	for _, program := range missing {
		fmt.Fprintf(progress, "no %s in the path: not measured\n", program)
	}
	most := o.Sizes[len(o.Sizes)-1]
	switch {
	case load.N != 0 && o.Bench == growthName:
		return nil, fmt.Errorf("--workload: %s has %d members and cannot grow; compare replays it", o.Workload, load.N)
	case load.N != 0:
		o.Sizes = []int{load.N}
	case o.Bench == latencyName && len(o.Sizes) > 1:
		return nil, fmt.Errorf("latency takes one size, not %d", len(o.Sizes))
	case o.Bench == growthName && most > growthSizes[len(growthSizes)-1]:
		return nil, fmt.Errorf("--to is %d; the most is %d", most, growthSizes[len(growthSizes)-1])
	case o.Bench == growthName:
		o.Sizes = slices.DeleteFunc(slices.Clone(growthSizes), func(n int) bool { return n > most })
	}
	o.N = slices.Max(o.Sizes)
	var names []string
	for _, p := range chosen {
		dir, err := os.MkdirTemp(o.Dir, "check-")
		if err != nil {
			return nil, err
		}
		if err := peers.Check(p, dir); err != nil {
			return nil, err
		}
		names = append(names, p.Name)
	}
	fmt.Fprintf(progress, "%d peers agree with the model\n", len(names))
	for _, n := range o.Sizes {
		c := bench.Case{Title: fmt.Sprintf("n = %d", n), Systems: names, N: n}
		if o.Bench == latencyName {
			c.N = 0 // that of the result
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func loaded(o *bench.Options) string {
	var text []string
	for _, n := range o.Sizes {
		text = append(text, bench.Comma(n))
	}
	load, err := workload.Find(o.Workload)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s members of %d bytes, %s", strings.Join(text, "; "), load.MemberBytes, o.Workload)
}

// cell is a peer's figure of a line, compared with zset's.
func cell(line, peer string, n int) bench.Cell {
	c := bench.Cell{Ref: bench.Ref{Line: line, System: peer, Metric: lineMetric(line), N: n}, Quiet: true}
	if peer != bench.Zset && line != GCEmpty {
		c.Ours = bench.Zset
	}
	return c
}

// compareTables has for each size the figures, those of peers outside this process apart, and the ratios.
func compareTables(r *bench.Result) (list []bench.Table) {
	var inside, outside, others []string
	for _, p := range peers.All {
		switch {
		case !slices.Contains(r.Systems(), p.Name):
		case p.Outside:
			outside, others = append(outside, p.Name), append(others, p.Name)
		default:
			if inside = append(inside, p.Name); p.Name != bench.Zset {
				others = append(others, p.Name)
			}
		}
	}
	for _, n := range r.Sizes() {
		name := fmt.Sprintf("n = %s members of %d bytes", bench.Comma(n), r.MemberBytes)
		list = append(list, side(name, inside, n))
		if len(outside) > 0 {
			list = append(list, side(name+", outside this process: wall time", append([]string{bench.Zset}, outside...), n))
		}
		t := bench.Table{Title: name + ": zset's figure over the peer's; below 1x zset is better", Head: others}
		for _, l := range Lines {
			row := bench.Row{Title: l.Title}
			for _, p := range others {
				c := cell(l.Name, bench.Zset, n)
				over := cell(l.Name, p, n).Ref
				if c.Over = &over; c.Metric != figure.Allocs && l.Name != GCEmpty {
					row.Cells = append(row.Cells, c)
				}
			}
			if len(row.Cells) > 0 {
				t.Rows = append(t.Rows, row)
			}
		}
		list = append(list, t)
	}
	return list
}

// side returns a row for each line that the systems can have, and a column for each system.
func side(name string, systems []string, n int) bench.Table {
	t := bench.Table{Title: name, Head: systems, Best: true}
	for _, l := range Lines {
		row := bench.Row{Title: l.Title}
		for _, p := range systems {
			row.Cells = append(row.Cells, cell(l.Name, p, n))
		}
		outside := slices.Contains(systems, "pebble") || slices.Contains(systems, "redis")
		if !outside || lineMetric(l.Name) == figure.Call || l.Name == Bytes {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// growthTables has a row for each line and peer, a column for each size.
func growthTables(r *bench.Result) []bench.Table {
	t := bench.Table{}
	for _, n := range growthSizes {
		t.Head = append(t.Head, bench.Comma(n))
	}
	for _, l := range Lines {
		for i, p := range peers.Names() {
			row := bench.Row{System: p}
			if i == 0 {
				row.Title = l.Title
			}
			for _, n := range growthSizes {
				row.Cells = append(row.Cells, cell(l.Name, p, n))
			}
			if l.Core {
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return []bench.Table{t}
}

// latencyTables has a row for each operation and peer, and one for the clock.
func latencyTables(*bench.Result) []bench.Table {
	t := bench.TimesTable()
	t.Rows = append(t.Rows, bench.TimesRow("two looks at the clock", LineClock, LineClock, ""))
	for _, line := range timed {
		name := title(line)
		for _, p := range peers.Names() {
			ours := bench.Zset
			if p == ours {
				ours = ""
			}
			t.Rows = append(t.Rows, bench.TimesRow(name, line, p, ours))
			name = ""
		}
	}
	return []bench.Table{t}
}

// targets are the rows of the design's section 8 that concern the sorted set alone, and that memory follows the members that leave.
var targets = func() (list []bench.Target) {
	add := func(what, line, peer, base string, limit float64, at int) {
		list = append(list, bench.Target{What: what, Line: line, System: bench.Zset, Metric: lineMetric(line), Peer: peer, Base: base,
			Limit: limit, At: at, Noise: base == GCEmpty && limit == 1})
	}
	add("memory per member", Bytes, "", "", 50, 1e6)
	add("memory, listpack of 128", BytesSmall, "", "", 31, 0)
	add("score look-up", Score, "map", "", 1.1, 1e6)
	for _, n := range []int{100, 1000, 10_000} {
		add("score look-up", Score, "map", "", 1.3, n)
	}
	add("update to a new random score", Update, "tidwall", "", 0.7, 1e6)
	add("increment, zipf", Incr, "tidwall", "", 0.8, 1e6)
	add("rank of a member", Rank, "tidwall", "", 0.33, 1e6)
	add("rank of a member", Rank, "bytedance", "", 0.25, 1e6)
	add("page of 100 in the middle", Page, "bytedance", "", 0.5, 1e6)
	add("page of 100 as RESP", PageRESP, "counted", "", 1.2, 1e6)
	add("page of 100 as JSON", PageJSON, "counted", "", 1.2, 1e6)
	add("walk over 100, middle", Walk, "counted", "", 1.2, 1e6)
	add("increment, zipf", Incr, "counted", "", 1, 1e6)
	add("remove and add again", Churn, "counted", "", 1, 1e6)
	add("rank of a member", Rank, "counted", "", 1, 1e6)
	add("update in a board of 1,000", Update1k, "counted", "", 1, 1e6)
	add("full GC, live over none", GC, "", GCEmpty, 1.1, 1e6)
	add("full GC, live over none", GC, "", GCEmpty, 1, 1e7)
	add("memory with 90 % removed, over anew", BytesLeft, "", BytesAnew, 1.5, 1e7)
	add("slowest update while growing", Slowest, "", "", 2, 1e7)
	add("update, all over 1,000 members", Update, "", Update1k, 12, 1e7)
	add("allocations, update", allocs+Update, "", "", 0, 0)
	add("allocations, score", allocs+Score, "", "", 0, 0)
	add("allocations, rank", allocs+Rank, "", "", 0, 0)
	add("allocations, range walk", allocs+Walk, "", "", 0, 0)
	return list
}()

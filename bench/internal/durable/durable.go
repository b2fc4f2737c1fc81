package durable

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// The peers: Pebble alone, and the engine without a disk.
const pebbleAlone, memory = "pebble", "memory"

// level is what is done at once, and what a caller waits for.
type level struct {
	name, title string
	peer        string
	callers     int
	size        int    // updates in a commit
	durability  string // of the engine
	quiet       bool   // the engine takes no snapshots
}

var levels = []level{
	{"sync/1", "Sync, 1 caller", pebbleAlone, 1, 1, "sync", false},
	{"sync/16", "Sync, 16 callers", pebbleAlone, 16, 1, "sync", false},
	{"sync/256", "Sync, 256 callers", pebbleAlone, 256, 1, "sync", false},
	{"sync/batch", "Sync, 1 caller, 256 a commit", pebbleAlone, 1, 256, "sync", false},
	{"interval", "Interval(100ms), 1 caller", memory, 1, 1, "interval", false},
	{"interval/quiet", "Interval(100ms), no snapshots", memory, 1, 1, "interval", true},
	{"none", "None, 1 caller", pebbleAlone, 1, 1, "none", false},
}

// Benchmark is the declaration.
var Benchmark = bench.Benchmark{
	Name: "durable", Title: "Commits on the disk", Short: "Measure commits on the disk beside Pebble alone",
	Long: `Durable measures an engine on the disk: updates from 1, 16 and 256 callers who wait for it, 256 updates in one commit, and updates that are
flushed behind the caller's back; beside Pebble alone with the same callers, and beside the engine without a disk.

It prints which disk it is and how long a flush takes. Everything at Sync depends on that.`,
	Example: "--dir /mnt/nvme --for 5s --rounds 5",
	N:       1_000_000,
	Flags: func(f *pflag.FlagSet, o *bench.Options) {
		f.DurationVar(&o.For, "for", 2*time.Second, "how long the calls of a system are counted, and then timed, in a round")
	},
	Plan: plan, Start: start, Tables: tables,
	Targets: []bench.Target{
		{What: "updates/s, Sync, 256 callers", Line: "sync/256", Metric: figure.Rate, Peer: pebbleAlone, Limit: 0.8, Least: true},
		{What: "updates/s, Sync, 256 a commit", Line: "sync/batch", Metric: figure.Rate, Peer: pebbleAlone, Limit: 0.7, Least: true},
		{What: "updates/s, Interval(100ms)", Line: "interval", Metric: figure.Rate, Peer: memory, Limit: 0.6, Least: true, At: 1e6},
	},
	Notes: "pebble: alone, with Commit(Sync), or NoSync for None, and the same callers; memory: this engine without a disk. Calls/s: updates; behind a\n" +
		"peer's, ours over it. A caller makes its next call when the last one has returned. Worst: of all rounds; calls: a round.",
}

func plan(context.Context, *bench.Options, io.Writer) (cases []bench.Case, err error) {
	for _, l := range levels {
		cases = append(cases, bench.Case{Name: l.name, Title: l.title, Systems: []string{bench.Zrank, l.peer}, Turns: turns})
	}
	return cases, nil
}

func tables(*bench.Result) []bench.Table {
	t := bench.TimesTable(true)
	for _, l := range levels {
		t.Rows = append(t.Rows, bench.TimesRow(l.title, l.name, bench.Zrank, "", true), bench.TimesRow("", l.name, l.peer, bench.Zrank, true))
	}
	return []bench.Table{t}
}

const (
	// turns is how many turns a system has.
	turns = 10
	// maxOps is the length of the stream of updates, which is read again and again.
	maxOps = 1 << 20
	// buildSize is how many members a commit of the build has.
	buildSize = 10_000
)

// start opens the system and inserts all members.
func start(_ context.Context, o bench.Options) (bench.Session, error) {
	at := slices.IndexFunc(levels, func(l level) bool { return l.name == o.Case })
	if at < 0 {
		return nil, fmt.Errorf("no case %q", o.Case)
	}
	l := levels[at]
	r := rand.New(rand.NewPCG(o.Seed, 0x6475726162))
	score := func() float64 { return float64(r.Int64N(workload.ScoreSpan)) }
	sys, err := open(o, l)
	if err != nil {
		return nil, err
	}
	if err := build(sys, o.N, r, score); err != nil {
		return nil, errors.Join(err, sys.Close())
	}
	before, _ := sys.commits()
	updates := workload.NewStream(min(maxOps, 4*o.N), func(int) int { return r.IntN(o.N) }, score)
	callers := make([]workload.Cursor, l.callers)
	for i := range callers {
		callers[i] = workload.NewCursor(&updates, i, l.callers, l.size)
	}
	return &bench.Turns{
		For: o.For * bench.Passes / turns,
		Spots: []bench.Spot{{Line: l.name, Callers: l.callers, Timed: true, Units: l.size, Call: func(id int) (int, error) {
			lo, shift := callers[id].Next()
			return 1, sys.apply(&updates, lo, lo+l.size, shift)
		}}},
		Finish: func(calls int) error {
			after, known := sys.commits()
			if err := sys.Close(); err != nil || !known {
				return err
			}
			return bench.Want("commits", int(after-before), calls)
		},
	}, nil
}

// build inserts all members, in random order.
func build(sys system, n int, r *rand.Rand, score func() float64) error {
	order := r.Perm(n)
	all := workload.NewStream(n, func(i int) int { return order[i] }, score)
	for lo := 0; lo < n; lo += buildSize {
		if err := sys.apply(&all, lo, min(lo+buildSize, n), 0); err != nil {
			return fmt.Errorf("insert the members: %w", err)
		}
	}
	return sys.settle()
}

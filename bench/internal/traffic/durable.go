package traffic

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

// The peers of durable: Pebble alone, and the engine without a disk.
const pebbleAlone, memory = "pebble", "memory"

// level is a case of durable: the callers, the size of a commit, and the durability that a caller waits for.
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

// Durable measures commits.
var Durable = bench.Benchmark{
	Name: "durable", Title: "Commits on the disk", Short: "Measure commits on the disk beside Pebble alone",
	Long: `Durable measures an engine on the disk: updates from 1, 16 and 256 callers who wait for it, 256 updates in one commit, and updates that are
flushed behind the caller's back; beside Pebble alone with the same callers, and beside the engine without a disk.

It prints which disk it is and how long a flush takes. Everything at Sync depends on that.`,
	Example: "--dir /mnt/nvme --for 5s --rounds 5",
	N:       1_000_000,
	Flags: func(f *pflag.FlagSet, o *bench.Options) {
		f.DurationVar(&o.For, "for", 2*time.Second, "how long the calls of a system are counted, and then timed, in a round")
	},
	Plan: planDurable, Start: startDurable, Tables: durableTables,
	Targets: []bench.Target{
		{What: "updates/s, Sync, 256 callers", Line: "sync/256", Metric: figure.Rate, Peer: pebbleAlone, Limit: 0.8, Least: true},
		{What: "updates/s, Sync, 256 a commit", Line: "sync/batch", Metric: figure.Rate, Peer: pebbleAlone, Limit: 0.7, Least: true},
		{What: "updates/s, Interval(100ms)", Line: "interval", Metric: figure.Rate, Peer: memory, Limit: 0.6, Least: true, At: 1e6},
	},
	Notes: "pebble: alone, with Commit(Sync), or NoSync for None, and the same callers; memory: this engine without a disk. Calls/s: updates; behind a\n" +
		"peer's, ours over it. A caller makes its next call when the last one has returned. Worst: of all rounds; calls: a round.",
}

func planDurable(context.Context, *bench.Options, io.Writer) (cases []bench.Case, err error) {
	for _, l := range levels {
		cases = append(cases, bench.Case{Name: l.name, Title: l.title, Systems: []string{bench.Zrank, l.peer}, Turns: durableTurns})
	}
	return cases, nil
}

func durableTables(*bench.Result) []bench.Table {
	t := bench.TimesTable()
	for _, l := range levels {
		t.Rows = append(t.Rows, bench.TimesRow(l.title, l.name, bench.Zrank, ""), bench.TimesRow("", l.name, l.peer, bench.Zrank))
	}
	return []bench.Table{t}
}

const (
	// durableTurns is the number of turns of a system.
	durableTurns = 10
	// maxUpdates is the length of the stream of updates, which callers read again and again.
	maxUpdates = 1 << 20
)

// startDurable opens the system and inserts all members.
func startDurable(_ context.Context, o bench.Options) (bench.Session, error) {
	l := levels[slices.IndexFunc(levels, func(l level) bool { return l.name == o.Case })]
	e, sys, err := openDurable(o, l)
	if err != nil {
		return nil, err
	}
	err = sys.FillSets(1, o.N, o.Seed)
	r := rand.New(rand.NewPCG(o.Seed, 0x6475726162))
	updates := workload.NewStream(min(maxUpdates, 4*o.N), func(int) int { return r.IntN(o.N) }, func() float64 { return subject.WholeScore(r) })
	call, failed := sys.Batches(l.callers, l.size, &updates, func(i int, shift float64) subject.Op {
		return subject.Op{Key: updates.Key(i), Score: updates.Score(i) + shift}
	})
	o.For = o.For * bench.Passes / durableTurns
	spot := bench.Spot{Line: l.name, Callers: l.callers, Timed: true, Units: l.size, Call: func(id int) (int, error) { return 1, call(id) }}
	s, err := sys.Turns(o, []bench.Spot{spot}, o.N, errors.Join(err, failed))
	if err != nil || o.System != bench.Zrank {
		return s, err
	}
	return s, countCommits(s.(*bench.Turns), e)
}

// openDurable opens a system.
func openDurable(o bench.Options, l level) (*engine.Engine, *subject.System, error) {
	if o.System == pebbleAlone {
		sys, err := subject.OpenPebble(o.Dir, subject.Arena, l.durability == "sync")
		return nil, sys, err
	}
	if o.System == memory {
		return subject.OpenEngine(o.Dir, subject.Level{}, subject.ArenaKey)
	}
	durability, err := engine.ParseDurability(l.durability)
	at := subject.Level{Disk: true, Engine: engine.Options{Durability: durability}}
	if l.quiet {
		at.Engine.SnapshotBytes = -1
	}
	if err != nil {
		return nil, nil, err
	}
	return subject.OpenEngine(o.Dir, at, subject.ArenaKey)
}

// countCommits makes the session fail if the log has not one commit for each call.
func countCommits(s *bench.Turns, e *engine.Engine) error {
	before, err := e.Stats()
	finish := s.Finish
	s.Finish = func(calls int) error {
		after, err := e.Stats()
		return errors.Join(err, finish(calls), bench.Want("commits", int(after.LastSeq-before.LastSeq), calls))
	}
	return err
}

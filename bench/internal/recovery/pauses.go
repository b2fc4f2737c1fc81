package recovery

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// event is an operation on the big set.
type event struct {
	name, title string
	do          func(*engine.Engine) error // nil: nothing happens
}

// events are all events, in the order of the table. To add one, add a row.
var events = []event{
	{"still", "nothing", nil},
	{"snapshot", "snapshotted", (*engine.Engine).Snapshot}, // the first: every page is written
	{"delete", "deleted", func(e *engine.Engine) error { _, err := e.Delete(big); return err }},
	{"unite", "united, stored", func(e *engine.Engine) error {
		_, err := e.UnionStore(context.Background(), "united", zset.Combine[float64]{}, big, small(0))
		return err
	}},
}

var levels = []struct{ name, title string }{{"sync", "Sync"}, {"interval", "Interval"}}

// sides are which sets a line is of: even writers write to the big set, odd ones to the small sets.
var sides = []string{"big", "small"}

func line(event, level, side string) string { return fmt.Sprintf("%s/%s/%s", event, level, side) }

// Pauses measures writers while something happens to a big set.
var Pauses = bench.Benchmark{
	Name: "pauses", Title: "Writers during snapshots of a big set", Short: "Measure writers while a big set is snapshotted, deleted, united",
	Long: `Pauses measures what writers wait for, to a very big set and to others, while something happens to the big set: nothing, for comparison;
its first snapshot, which writes every page; its deletion; its union with a small one, stored. 64 writers call at fixed times, 4,000 calls
a second in all, and a call's time counts from when it was due. Ten million members want about 1 GB of memory and 1 GB of disk.`,
	Example: "--n 1e6 --rounds 5",
	N:       10_000_000, NUsage: "number of members in the big set",
	Flags: func(f *pflag.FlagSet, o *bench.Options) {
		f.DurationVar(&o.After, "for", time.Second, "how long calls count after the event")
	},
	Plan: func(context.Context, *bench.Options, io.Writer) (cases []bench.Case, err error) {
		for _, l := range levels {
			for _, e := range events {
				cases = append(cases, bench.Case{Name: e.name + "/" + l.name, Title: e.name + ", " + l.name, Systems: []string{bench.Zrank}})
			}
		}
		return cases, nil
	},
	Start: startPauses, Tables: pausesTables,
	Targets: []bench.Target{
		{What: "p99.9 while snapshotted, Sync", Line: line("snapshot", "sync", "big"), Metric: figure.P999, Limit: 2e6, At: 1e7},
		{What: "p99.9 while snapshotted, Interval", Line: line("snapshot", "interval", "big"), Metric: figure.P999, Limit: 2e6, At: 1e7},
	},
	Notes: `Calls: 4,000 a second from 64 writers, half of them to the big set, timed from when each was due, from the beginning of the event until a
second, or what --for says, after its end; worst: of all rounds. Snapshotted: for the first time, so every page is written.`,
}

func pausesTables(*bench.Result) []bench.Table {
	calls, facts := bench.TimesTable(), bench.Table{Head: []string{"took"}}
	for _, l := range levels {
		for _, e := range events {
			title := l.title + ", " + e.title
			calls.Rows = append(calls.Rows, bench.TimesRow(title+": big set", line(e.name, l.name, "big"), bench.Zrank, ""),
				bench.TimesRow(title+": others", line(e.name, l.name, "small"), bench.Zrank, ""))
			facts.Rows = append(facts.Rows, bench.Fact(title, line(e.name, l.name, "big"), figure.Took))
		}
	}
	return []bench.Table{calls, facts}
}

const (
	big = "big"
	// The others are smallSets sets of smallMembers each.
	smallSets, smallMembers = 1000, 20
	// longSettled is how long the writers write before the event.
	longSettled = 500 * time.Millisecond
)

func small(i int) string { return fmt.Sprintf("small:%03d", i) }

// startPauses fills an engine and runs the event among the writers.
func startPauses(_ context.Context, o bench.Options) (bench.Session, error) {
	name, levelName, _ := strings.Cut(o.Case, "/")
	event := events[slices.IndexFunc(events, func(e event) bool { return e.name == name })]
	level, err := engine.ParseDurability(levelName)
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(o.Dir, engine.Options{Durability: level, SnapshotBytes: -1})
	if err != nil {
		return nil, err
	}
	r := newRandom(o.N, o.Seed, false)
	err = subject.Fill(e, big, o.N, r.score)
	for i := 0; i < smallSets && err == nil; i++ {
		err = subject.Fill(e, small(i), smallMembers, r.score)
	}
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	runtime.GC() // the garbage of the fill must not slow the event
	var do func() error
	if event.do != nil {
		do = func() error { return event.do(e) }
	}
	w, err := crew.Watch(longSettled, o.After, func(id int) func(int) error { return sideWriter(e, o, id) }, do)
	var found bench.Once
	for i, side := range sides {
		found = append(found, bench.Sample{Line: line(name, levelName, side), Figures: w.Figures(i, len(sides))})
	}
	return found, errors.Join(err, e.Close())
}

// sideWriter makes the calls of one of the crew.
func sideWriter(e *engine.Engine, o bench.Options, id int) func(i int) error {
	key, n := func(int) string { return big }, o.N
	if id%len(sides) == 1 {
		key, n = func(i int) string { return small(workload.Spread(i*crew.Writers+id, smallSets)) }, smallMembers
	}
	r := newRandom(n, o.Seed+uint64(id), false)
	return subject.Writer(e, key, r.pick, r.score)
}

package recovery

import (
	"cmp"
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

// event is an operation on the big set, or on the small ones.
type event struct {
	name, title string
	sets        int                        // number of small sets; 0: smallSets
	prepare     func(*engine.Engine) error // before the writers start; may be nil
	do          func(*engine.Engine) error // nil: nothing happens
}

// events are all events, in the order of the table. To add one, add a row.
var events = []event{
	{name: "still", title: "nothing"},
	{name: "snapshot", title: "snapshotted", do: (*engine.Engine).Snapshot}, // the first: every page is written
	{name: "publish", title: "20,000 sets published", sets: manySets, prepare: changeMany, do: (*engine.Engine).Snapshot},
	{name: "delete", title: "deleted", do: func(e *engine.Engine) error { _, err := e.Delete(context.Background(), big); return err }},
	{name: "unite", title: "united, stored", do: unite},
	{name: "all", title: "everything at once", sets: manySets, do: everything},
}

func unite(e *engine.Engine) error {
	_, err := e.UnionStore(context.Background(), "united", zset.Combine[float64]{}, big, small(0))
	return err
}

// changeMany takes a snapshot, and then changes all small sets.
func changeMany(e *engine.Engine) error {
	return errors.Join(e.Snapshot(), fillSmall(e, manySets, newRandom(manySets, 0, false).score))
}

// everything snapshots all sets, unites the big one while that goes on, and deletes what is stored while another snapshot goes on.
func everything(e *engine.Engine) error {
	for _, beside := range []func() error{
		func() error { return unite(e) },
		func() error { _, err := e.Delete(context.Background(), "united"); return err },
	} {
		done := make(chan error, 1)
		go func() { done <- e.Snapshot() }()
		if err := errors.Join(beside(), <-done); err != nil {
			return err
		}
	}
	return nil
}

var levels = []struct{ name, title string }{{"sync", "Sync"}, {"interval", "Interval"}}

// sides are which sets a line is of: even writers write to the big set, odd ones to the small sets.
var sides = []string{"big", "small"}

func line(event, level, side string) string { return fmt.Sprintf("%s/%s/%s", event, level, side) }

// lines are the lines of all sides.
func lines(event, level string) string {
	return line(event, level, sides[0]) + " " + line(event, level, sides[1])
}

// Pauses measures writers while something happens to a big set.
var Pauses = bench.Benchmark{
	Name: "pauses", Title: "Writers during snapshots of a big set", Short: "Measure writers while sets are snapshotted, deleted, united",
	Long: `Pauses measures what writers wait for, to a very big set and to others, while something happens: nothing, for comparison; the first
snapshot of the big set, which writes every page; a snapshot of 20,000 small sets that have changed; the deletion of the big set; its union with
a small one, stored; two snapshots of everything, with such a union beside one and its deletion beside the other. 64 writers call at fixed
times, 4,000 calls a second in all, and a call's time counts from when it was due. Ten million members want about 1 GB of memory and 1 GB of disk.`,
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
		{What: "the same over nothing going on, Sync", Line: lines("snapshot", "sync"), Metric: figure.P999, Base: line("still", "sync", "big"), Limit: 2},
		{What: "the same over nothing going on, Interval", Line: lines("snapshot", "interval"), Metric: figure.P999, Base: line("still", "interval", "big"), Limit: 2},
		{What: "slowest write while 20,000 sets are published, Sync", Line: lines("publish", "sync"), Metric: figure.Max, Limit: 2e6},
		{What: "slowest write while 20,000 sets are published, Interval", Line: lines("publish", "interval"), Metric: figure.Max, Limit: 2e6},
		{What: "p99.9 while united over nothing going on, Sync", Line: lines("unite", "sync"), Metric: figure.P999, Base: line("still", "sync", "big"), Limit: 2},
		{What: "p99.9 while united over nothing going on, Interval", Line: lines("unite", "interval"), Metric: figure.P999, Base: line("still", "interval", "big"), Limit: 2},
		{What: "p99.9 with everything at once", Line: lines("all", "sync") + " " + lines("all", "interval"), Metric: figure.P999, Limit: 10e6},
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
	// The others are smallSets sets of smallMembers each, or manySets.
	smallSets, smallMembers, manySets = 1000, 20, 20_000
	// filledAtOnce is the number of small sets that are filled in one commit.
	filledAtOnce = 100
	// longSettled is how long the writers write before the event.
	longSettled = 500 * time.Millisecond
)

func small(i int) string { return fmt.Sprintf("small:%05d", i) }

// fillSmall gives the first n small sets their members.
func fillSmall(e *engine.Engine, n int, score func() float64) error {
	s := workload.Apart(0, smallMembers, smallMembers, score)
	for lo := 0; lo < n; lo += filledAtOnce {
		keys := make([]string, min(filledAtOnce, n-lo))
		for i := range keys {
			keys[i] = small(lo + i)
		}
		err := e.Update(context.Background(), func(tx *engine.Tx) error {
			for _, key := range keys {
				set, err := tx.Set(key)
				for i := 0; i < s.Len() && err == nil; i++ {
					_, err = set.Add(s.Key(i).Raw, score())
				}
				if err != nil {
					return err
				}
			}
			return nil
		}, keys...)
		if err != nil {
			return err
		}
	}
	return nil
}

// startPauses fills an engine, prepares the event and runs it among the writers.
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
	if err == nil {
		err = fillSmall(e, cmp.Or(event.sets, smallSets), r.score)
	}
	if err == nil && event.prepare != nil {
		err = event.prepare(e)
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

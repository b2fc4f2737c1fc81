package boards

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
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/board"
)

// The systems besides the board. Those of 100 make 100 submissions in one transaction.
const (
	sets       = "sets"
	bytedance  = subject.BytedanceName
	applied    = "apply/100"
	increments = "sets/100"
	pipelined  = "redis/100"
	together   = 100
)

// ours is the system of ours that each peer is held against.
var ours = map[string]string{sets: bench.Zrank, bytedance: bench.Zrank, bench.Redis: bench.Zrank, increments: applied, pipelined: applied}

var inMemory = []string{bench.Zrank, sets, bytedance, bench.Redis, applied, increments, pipelined}

// systems returns those of a level.
func systems(l subject.Level) []string {
	if !l.Disk {
		return inMemory
	}
	return slices.DeleteFunc(slices.Clone(inMemory), func(s string) bool { return s == bytedance })
}

// kind is a kind of calls: submissions of players by a distribution, or cards in a rank mode.
type kind struct {
	title string
	card  bool
	mode  board.Mode
	zipf  bool
}

var kinds = []kind{
	{title: "submits, uniform"},
	{title: "submits, hot tail", zipf: true},
	{title: "cards, ordinal", card: true, mode: board.Ordinal},
	{title: "cards, competition", card: true, mode: board.Competition},
	{title: "cards, modified", card: true, mode: board.Modified},
	{title: "cards, dense", card: true, mode: board.Dense},
}

var callers = []int{1, 16}

// has reports whether a system makes calls of a kind. Cards are measured in memory only, and for peers in ordinal ranks only, since they have
// no others.
func has(l subject.Level, system string, k kind) bool {
	if !k.card || l.Disk {
		return !k.card
	}
	return system == bench.Zrank || (system == bytedance || system == bench.Redis) && k.mode == board.Ordinal
}

func line(l subject.Level, k kind, n int) string { return fmt.Sprintf("%s/%s/%d", l.Name, k.title, n) }

// periods is what --cases calls the stages of periods.go.
const periods = "periods"

func caseNames() []string {
	names := append(subject.LevelNames(subject.Levels), periods, single, leaves, unions, awarding, moderation, feeding)
	for _, v := range allVariants {
		names = append(names, v.name)
	}
	return names
}

// Benchmark is the declaration.
var Benchmark = bench.Benchmark{
	Name: "boards", Title: "A leaderboard", Short: "Measure a leaderboard beside three sets by hand",
	Long: `Boards measures a leaderboard of three windows, all time, day and week: submissions a second and cards a second, beside three sets by
hand: this engine's, bytedance's in memory, and those of a redis-server over loopback, where there is one in the path. Then the memory of
a player in a window, live and closed, the time to close a day, and what submitters wait for meanwhile. Last, the CPU time and the
allocations of single calls.

A million players want about 4 GB of memory.`,
	Example: "--n 1e5 --cases memory,periods",
	N:       1_000_000, NUsage: "number of players", Redis: true,
	Flags: func(f *pflag.FlagSet, o *bench.Options) {
		f.DurationVar(&o.For, "for", time.Second, "how long the calls of each figure are counted in a round")
		f.DurationVar(&o.After, "after", time.Second, "how long submissions count after a period was closed")
		f.StringSliceVar(&o.Cases, "cases", caseNames(), "what to measure")
		f.StringSliceVar(&o.Systems, "systems", inMemory, "which systems submit, zrank beside them")
	},
	Plan: plan, Start: start, Tables: tables,
	Load:    func(o *bench.Options) string { return bench.Comma(o.N) + " players of 20 bytes in each of 3 windows" },
	Targets: targets(),
	Notes: `Submits: points added in three windows, with the rank in each; /100: 100 in a transaction, without ranks. sets: three plain sets of this
engine, bytedance: under one lock, redis: MULTI, three ZINCRBY and three ZREVRANK, EXEC; those know no ties by time, no calendar and
nothing of before. Ratios: ours over it, zrank over those that ask for ranks, apply/100 over the others; above 1x boards make more.
Cards: the first 10, a player's row and 5 around it on each side, in memory; redis: two round trips. Hot tail: zipf, 1.1.
Interval: a power cut takes 1 s at most, as with appendfsync everysec; Sync: none, as with always. Submitters: 4,000 a second from 64
writers, timed from when each was due, at Interval(100ms), from midnight until a second, or what --after says, after the end. Names of
players count up: the disk's figures gain by that. Single calls: CPU time of one goroutine's thread, in memory; a submission sets a random
score, as do the sets' calls.`,
}

func targets() []bench.Target {
	list := append(slices.Clone(singleTargets), bench.Target{What: "p99.9 of submitters, a day is closed", Line: "close", Metric: figure.P999, Limit: 2e6, At: 1e6})
	list = append(append(append(list, awardTargets...), moderationTargets...), feedTargets...)
	for i := range allVariants {
		list = append(list, allVariants[i].targets()...)
	}
	return list
}

// titles are the titles of the cases that are one case each, besides those of variants.
var titles = map[string]string{single: "single calls", leaves: "all results leave a rolling window", unions: "seven days united", awarding: "a day settled",
	moderation: "a player of 1,000 closed days", feeding: "a feed and its readers"}

func plan(_ context.Context, o *bench.Options, progress io.Writer) (cases []bench.Case, err error) {
	err = errors.Join(bench.Choose("cases", o.Cases, caseNames()), bench.Choose("systems", o.Systems, inMemory), o.FindRedis(progress))
	if err != nil {
		return nil, err
	}
	for _, name := range o.Cases {
		if v := variantsNamed(name); v != nil {
			cases = append(cases, bench.Case{Name: name, Title: v.title, Systems: []string{bench.Zrank}})
			continue
		}
		switch name {
		case single, leaves, unions, awarding, moderation, feeding:
			cases = append(cases, bench.Case{Name: name, Title: titles[name], Systems: []string{bench.Zrank}})
			continue
		case periods:
			for _, stage := range stages() {
				cases = append(cases, bench.Case{Name: stage, Title: "periods, " + stage, Systems: []string{bench.Zrank}})
			}
			continue
		}
		l := subject.LevelNamed(name)
		wanted := slices.DeleteFunc(o.WithRedis(systems(l)), func(s string) bool { return s != bench.Zrank && !slices.Contains(o.Systems, s) })
		cases = append(cases, bench.Case{Name: name, Title: l.Title, Systems: wanted, Turns: bench.Passes * spots(l)})
	}
	return cases, nil
}

// spots returns the greatest number of spots of a system of a level.
func spots(l subject.Level) (n int) {
	for _, k := range kinds {
		if has(l, bench.Zrank, k) {
			n += len(callers)
		}
	}
	return n
}

func start(ctx context.Context, o bench.Options) (bench.Session, error) {
	if slices.Contains(subject.LevelNames(subject.Levels), o.Case) {
		return startCalls(ctx, o, subject.LevelNamed(o.Case))
	}
	if o.Case == single {
		found, err := runSingle(ctx, o)
		return bench.Once(found), err
	}
	if v := variantsNamed(o.Case); v != nil {
		found, err := v.run(o)
		return bench.Once(found), err
	}
	if o.Case == unions {
		found, err := runUnions(o)
		return bench.Once(found), err
	}
	if o.Case == awarding {
		found, err := runAwards(o)
		return bench.Once(found), err
	}
	if o.Case == feeding {
		found, err := runFeed(o)
		return bench.Once(found), err
	}
	if o.Case == moderation {
		found, err := runModeration(o)
		return bench.Once(found), err
	}
	f := figure.Figures{}
	if o.Case == leaves {
		return bench.Once{{Line: leaves, Figures: f}}, runLeaves(o, f)
	}
	return bench.Once{{Line: o.Case, Figures: f}}, runStage(ctx, o, f)
}

func tables(*bench.Result) []bench.Table {
	rates := bench.Table{Head: []string{"1 caller", "16 callers"}}
	for _, l := range subject.Levels {
		for _, k := range kinds {
			title := l.Title + ", " + k.title
			for _, system := range systems(l) {
				if !has(l, system, k) {
					continue
				}
				rates.Rows, title = append(rates.Rows, bench.RateRow(title, system, ours[system], line(l, k, callers[0]), line(l, k, callers[1]))), ""
			}
		}
	}
	facts := bench.Table{Head: []string{"found"}, Rows: []bench.Row{
		bench.Fact("memory of a player in a window, live", live, figure.Live),
		bench.Fact("memory of a player, closed", kept, figure.Closed),
		bench.Fact("disk for a player, closed", kept, figure.Stored),
		bench.Fact("  all files of that engine, log included", kept, figure.Files),
		bench.Fact("close a day, nobody submits", kept, figure.Took),
		bench.Fact("  the snapshot after it", kept, figure.Snapshot),
		bench.Fact("first card of a closed day, from the disk", kept, figure.Touch),
		bench.Fact("migrate a closed day to other ties", kept, figure.Migrate),
	}}
	calls := bench.TimesTable()
	for _, e := range events {
		calls.Rows = append(calls.Rows, bench.TimesRow("submitters, "+e.title, e.name, bench.Zrank, ""))
		if e.happens() {
			facts.Rows = append(facts.Rows, bench.Fact("under load: "+e.title, e.name, figure.Took))
		}
	}
	calls.Rows = append(calls.Rows, bench.TimesRow("submitters, all results leave within a second", leaves, bench.Zrank, ""))
	for _, e := range unionEvents {
		calls.Rows = append(calls.Rows, bench.TimesRow("submitters, "+e.title, unionLine(e.name), bench.Zrank, ""))
		if e.do != nil {
			facts.Rows = append(facts.Rows, bench.Fact("under load: "+e.title, unionLine(e.name), figure.Took),
				bench.Fact("  alone", unionLine(e.name), figure.Fill), bench.Fact("  allocated", unionLine(e.name), figure.AllocBytes))
		}
	}
	for _, rows := range []func() (facts, times []bench.Row){awardRows, moderationRows} {
		more, times := rows()
		facts.Rows, calls.Rows = append(facts.Rows, more...), append(calls.Rows, times...)
	}
	facts.Rows = append(facts.Rows, feedRows()...)
	all := []bench.Table{rates, facts, calls, singleTable()}
	for i := range allVariants {
		all = append(all, allVariants[i].table())
	}
	return all
}

// many reports whether a system makes 100 submissions in a transaction.
func many(system string) bool { return strings.HasSuffix(system, "/100") }

package recovery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// The jobs that prepare a stage.
const (
	build      = "build"
	buildFew   = "build-few" // with few distinct scores
	buildSets  = "build-periods"
	fill       = "fill"
	fillBeside = "fill/beside"
)

// stage is a line and its measurement on a copy of the directory.
type stage struct {
	line string
	base string // the job that makes the directory; empty: build
	fill string // a job that runs first and is killed
	run  func(o bench.Options, f figure.Figures) error
}

// stages is every stage, in the order of the tables.
var stages = []stage{
	{"clean", "", "", open},
	{"clean/few", buildFew, "", open},
	{"clean/cold", "", "", cold},
	{"killed", "", fill, open},
	{"killed/beside", "", fillBeside, open},
	{"periods", buildSets, "", openPeriods},
	{"periods/check", buildSets, "", checkPeriods},
	{"stall/sync", "", "", stall("sync", false)},
	{"still/sync", "", "", stall("sync", true)},
	{"stall/interval", "", "", stall("interval", false)},
	{"still/interval", "", "", stall("interval", true)},
	{"amplify/zipf", "", "", amplify(true)},
	{"amplify/uniform", "", "", amplify(false)},
}

// Benchmark is the declaration.
var Benchmark = bench.Benchmark{
	Name: "recover", Title: "Opening and snapshots", Short: "Measure opening after a close and a crash, and what snapshots cost",
	Long: `Recover builds an engine of n members in one set, and measures how long it takes to open: after a clean close, with the files in the
kernel's memory and without, and after a kill -9 in the middle of writing, with 64 MB of log. It opens, lists and checks a board of many
closed periods. It measures what writers wait for while a snapshot is taken, and how many bytes reach the disk for each byte of log.

Every figure is of a fresh process on a fresh copy of the directory. Where there is a redis-server in the path, it loads the same set from
its RDB for comparison.`,
	Example: "--n 1e6\n--n 1e7 --dir /mnt/nvme",
	N:       1_000_000, Redis: true,
	Flags: func(f *pflag.FlagSet, o *bench.Options) {
		f.Int64Var(&o.LogBytes, "log", 64<<20, "bytes of log to open with, and between snapshots")
		f.IntVar(&o.Sets, "periods", 97_923, "number of closed periods of a board, each a small set")
		f.IntVar(&o.Calls, "calls", 12_000, "about how many calls to measure during snapshots")
	},
	Plan: func(_ context.Context, o *bench.Options, progress io.Writer) (cases []bench.Case, err error) {
		for _, s := range stages {
			cases = append(cases, bench.Case{Name: s.line, Title: s.line, Systems: []string{bench.Zrank}})
		}
		if err = o.FindRedis(progress); o.Redis != "" {
			cases = append(cases, bench.Case{Name: bench.Redis, Title: bench.Redis, Systems: []string{bench.Redis}})
		}
		return cases, err
	},
	Start: start, Tables: tables,
	Targets: []bench.Target{
		{What: "open after a clean close", Line: "clean", Metric: figure.Open, Limit: 50, At: 1e7},
		{What: "first touch", Line: "clean", Metric: figure.Touch, Limit: 4000, At: 1e7},
		{What: "first touch, CPU", Line: "clean clean/few", Metric: figure.TouchCPU, Limit: 350, At: 1e6},
		{What: "open after kill -9, 64 MB of log", Line: "killed", Metric: figure.Open, Limit: 600, Log: 64e6, At: 1e6},
		{What: "the same, log of other sets", Line: "killed/beside", Metric: figure.Open, Limit: 600, Log: 64e6},
		{What: "open with closed periods", Line: "periods", Metric: figure.Open, Limit: 200},
		{What: "a rank in the latest period", Line: "periods", Metric: figure.Touch, Limit: 50},
		{What: "list of closed periods", Line: "periods", Metric: figure.Took, Limit: 500},
		{What: "check of closed periods", Line: "periods/check", Metric: figure.Took, Limit: 10_000},
		{What: "p99.9 during snapshots, Sync", Line: "stall/sync", Metric: figure.P999, Limit: 2e6, At: 1e7},
		{What: "p99.9 during snapshots, Interval", Line: "stall/interval", Metric: figure.P999, Limit: 2e6, At: 1e7},
	},
	Notes: "Every figure is of a fresh process. Calls: 4,000 a second from 64 writers, timed from when each was due; worst: of all rounds.\n" +
		"Pages and files: what is written for each byte of log, with a snapshot after every length of log, compaction included.",
}

func tables(*bench.Result) []bench.Table {
	facts := bench.Table{Head: []string{"found", "over Redis"}}
	add := func(title, line string, m figure.Metric) {
		row := bench.Fact(title, line, m)
		if line == bench.Redis {
			row.Cells[0].System = bench.Redis
		}
		over := row.Cells[0]
		if (line == "clean" || line == "clean/cold") && (m == figure.Open || m == figure.Touch) {
			over.Over = &bench.Ref{Line: bench.Redis, System: bench.Redis, Metric: figure.Open}
			row.Cells = append(row.Cells, over)
		}
		facts.Rows = append(facts.Rows, row)
	}
	add("open after a clean close", "clean", figure.Open)
	add("first touch: a rank", "clean", figure.Touch)
	add("open, files not in memory", "clean/cold", figure.Open)
	add("first touch, files not in memory", "clean/cold", figure.Touch)
	add("first touch, CPU", "clean", figure.TouchCPU)
	add(fmt.Sprintf("  %d distinct scores", fewScores), "clean/few", figure.TouchCPU)
	add("memory after the open", "clean", figure.MemoryOpen)
	add("memory after the touch", "clean", figure.MemoryTouched)
	add("memory, the most until then", "clean", figure.MemoryPeak)
	add("Redis loads the same set", bench.Redis, figure.Open)
	add("open after kill -9", "killed", figure.Open)
	add("  commits replayed", "killed", figure.Commits)
	add("  length of the log", "killed", figure.Log)
	add("  memory, the most", "killed", figure.MemoryPeak)
	add("open after kill -9, log of other sets", "killed/beside", figure.Open)
	add("  commits replayed", "killed/beside", figure.Commits)
	add("open with closed periods, boards too", "periods", figure.Open)
	add("  a rank in the latest period", "periods", figure.Touch)
	add("  list of the periods", "periods", figure.Took)
	add("  check of the directory", "periods/check", figure.Took)
	add("snapshot at Sync, a twentieth changed", "stall/sync", figure.Snapshot)
	add("snapshot at Interval", "stall/interval", figure.Snapshot)
	add("bytes of pages per byte of log, zipf", "amplify/zipf", figure.PagesPerLog)
	add("bytes of pages per byte of log, uniform", "amplify/uniform", figure.PagesPerLog)
	add("bytes of all files per byte of log, zipf", "amplify/zipf", figure.FilesPerLog)
	add("bytes of all files per byte of log, uniform", "amplify/uniform", figure.FilesPerLog)
	calls := bench.TimesTable()
	for _, x := range [][2]string{{"Sync, during snapshots", "stall/sync"}, {"Sync, without", "still/sync"},
		{"Interval, during snapshots", "stall/interval"}, {"Interval, without", "still/interval"}} {
		calls.Rows = append(calls.Rows, bench.TimesRow(x[0], x[1], bench.Zrank, ""))
	}
	return []bench.Table{facts, calls}
}

// start runs a stage on a copy of the directory, or a job that prepares one.
func start(ctx context.Context, o bench.Options) (bench.Session, error) {
	f := figure.Figures{}
	found := bench.Once{{Line: o.Case, Figures: f}}
	switch o.Case {
	case build, buildFew:
		return bench.Once{}, makeBase(o)
	case buildSets:
		return bench.Once{}, makePeriods(o)
	case fill, fillBeside:
		return bench.Once{}, fillUntilKilled(o)
	case bench.Redis:
		return found, loadRedis(ctx, o, f)
	}
	for _, s := range stages {
		if s.line != o.Case {
			continue
		}
		job := o
		made := cmp.Or(s.base, build)
		base := filepath.Join(o.Shared, made)
		if _, err := os.Stat(base); errors.Is(err, os.ErrNotExist) { // the first stage of the run that needs it
			job.Case, job.Dir = made, base
			if _, err := bench.Fresh(ctx, job); err != nil {
				return nil, err
			}
		}
		if err := disk.Copy(base, o.Dir); err != nil {
			return nil, err
		}
		if job.Case, job.Dir = s.fill, o.Dir; s.fill != "" {
			if err := bench.Killed(ctx, job); err != nil {
				return nil, err
			}
		}
		err := s.run(o, f)
		if log, ok := f[figure.Log]; err == nil && ok && s.fill != "" && log < float64(o.LogBytes) {
			err = fmt.Errorf("the log has %.0f bytes after the kill, and had %d before", log, o.LogBytes)
		}
		return found, err
	}
	return nil, fmt.Errorf("no stage %q", o.Case)
}

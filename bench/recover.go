package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/recovery"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// recoveries is what the flags of recover say.
type recoveries struct {
	rounds
	logBytes int64
	calls    int
}

const recoverHelp = `Recover builds an engine of n members in one set, and measures how long it takes to
open: after a clean close, with the files in the kernel's memory and without, and
after a kill -9 in the middle of writing, with 64 MB of log. It measures what writers
wait for while a snapshot is taken, and how many bytes reach the disk for each byte of
log.

Every figure is of a fresh process on a fresh copy of the directory. Where there is a
redis-server in the path, it loads the same set from its RDB for comparison.`

func newRecover() *cobra.Command {
	var r recoveries
	cmd := r.command("recover", "Measure opening after a close and a crash, and what snapshots cost", recoverHelp,
		"  go run . recover --n 1e6\n"+
			"  go run . recover --n 1e7 --dir /mnt/nvme --json > raw.json", r.run)
	cmd.Flags().Int64Var(&r.logBytes, "log", 64<<20, "bytes of log to open with, and between snapshots")
	cmd.Flags().IntVar(&r.calls, "calls", 12_000, "about how many calls to measure during snapshots")
	return cmd
}

func (r *recoveries) run(cmd *cobra.Command) error {
	if r.logBytes <= 0 {
		return fmt.Errorf("--log is %d; it must be positive", r.logBytes)
	}
	if r.calls <= 0 {
		return fmt.Errorf("--calls is %d; it must be positive", r.calls)
	}
	s := &report.Sheet{Kind: report.Recover, N: int(r.n),
		Command: fmt.Sprintf("go run . recover --n %v --log %d --calls %d", r.n, r.logBytes, r.calls)}
	return r.sheet(cmd, s, r.measure)
}

// stage is a line of the sheet and how it comes about, on a copy of the directory that was built.
type stage struct {
	line string
	what recovery.Options
	// fill is done first, if it has a stage, and killed.
	fill recovery.Options
}

func (r *recoveries) stages() []stage {
	open := recovery.Options{Stage: recovery.StageOpen}
	fill := recovery.Options{Stage: recovery.StageFill, LogBytes: r.logBytes}
	stall := func(level string, still bool) recovery.Options {
		return recovery.Options{Stage: recovery.StageStall, Level: level, Still: still, Calls: r.calls}
	}
	amplify := recovery.Options{Stage: recovery.StageAmplify, LogBytes: r.logBytes}
	cold, beside, zipf := open, fill, amplify
	cold.Cold, beside.Beside, zipf.Zipf = true, true, true
	return []stage{
		{line: report.LineClean, what: open},
		{line: report.LineCold, what: cold},
		{line: report.LineKilled, what: open, fill: fill},
		{line: report.LineBeside, what: open, fill: beside},
		{line: report.LineStallSync, what: stall("sync", false)},
		{line: report.LineStillSync, what: stall("sync", true)},
		{line: report.LineStallInterval, what: stall("interval", false)},
		{line: report.LineStillInterval, what: stall("interval", true)},
		{line: report.LineZipf, what: zipf},
		{line: report.LineUniform, what: amplify},
	}
}

// measure builds the directory and makes the rounds.
func (r *recoveries) measure(ctx context.Context, progress io.Writer, dir string, s *report.Sheet) error {
	stages := r.stages()
	p := progression{w: progress, of: 1 + r.count*len(stages)}
	base := filepath.Join(dir, "base")
	p.start(fmt.Sprintf("build %v members", r.n))
	build := recovery.Options{Stage: recovery.StageBuild, Dir: base, N: int(r.n), Seed: r.seed}
	_, _, err := order{Recovery: &build}.figures(ctx)
	p.end(err)
	if err != nil {
		return err
	}
	for round := range r.count {
		for i := range stages {
			st := stages[(i+round)%len(stages)]
			p.start(fmt.Sprintf("round %d of %d: %s", round+1, r.count, st.line))
			x, err := r.sample(ctx, base, st, round)
			p.end(err)
			if err != nil {
				return err
			}
			s.Samples = append(s.Samples, x)
		}
	}
	return r.redis(ctx, progress, dir, s)
}

// sample runs a stage on a copy of the directory.
func (r *recoveries) sample(ctx context.Context, base string, st stage, round int) (report.Sample, error) {
	x := report.Sample{Line: st.line, System: durable.Zrank, Round: round}
	own := base + "-copy"
	defer os.RemoveAll(own)
	if err := disk.Copy(base, own); err != nil {
		return x, err
	}
	here := func(o recovery.Options) order {
		o.Dir, o.N, o.Seed = own, int(r.n), r.seed+uint64(round)
		return order{Recovery: &o}
	}
	if st.fill.Stage != "" {
		if err := here(st.fill).killed(ctx); err != nil {
			return x, err
		}
	}
	f, took, err := here(st.what).figures(ctx)
	x.Seconds, x.Figures = took.Seconds(), f
	if err == nil && st.fill.Stage != "" && f[figure.Log] < float64(r.logBytes) {
		err = fmt.Errorf("%s: the log has %.0f bytes after the kill, and had %d before", st.line, f[figure.Log], r.logBytes)
	}
	return x, err
}

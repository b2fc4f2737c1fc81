package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// Run measures a benchmark.
func (b *Benchmark) Run(ctx context.Context, f *pflag.FlagSet, o Options, progress io.Writer) (r *Result, err error) {
	if err := b.check(f, &o); err != nil {
		return nil, err
	}
	if o.Dir, err = os.MkdirTemp(o.Dir, "zrank-bench-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(o.Dir)
	o.N, o.Shared = o.Sizes[len(o.Sizes)-1], filepath.Join(o.Dir, "shared")
	if err := os.Mkdir(o.Shared, 0o755); err != nil {
		return nil, err
	}
	r = &Result{Benchmark: b, Kind: b.Name, Machine: ThisMachine(), Rounds: o.Rounds, Seed: o.Seed, MemberBytes: workload.MemberLen, Workload: o.Workload}
	if !b.NoDisk {
		if r.Disk, err = disk.Probe(o.Dir); err != nil {
			return nil, err
		}
	}
	cases, err := b.Plan(ctx, &o, progress)
	if err != nil {
		return nil, err
	}
	r.N, r.Command = o.N, command(b, f, &o)
	if b.Load != nil {
		r.Load = b.Load(&o)
	}
	p := progression{w: progress, of: o.Rounds * len(cases)}
	for round := range o.Rounds {
		for i := range cases {
			c := cases[(i+round)%len(cases)]
			p.start(fmt.Sprintf("round %d of %d: %s", round+1, o.Rounds, c.Title))
			found, err := c.run(ctx, o, round)
			p.end(err)
			if err != nil {
				return nil, err
			}
			r.Samples = append(r.Samples, found...)
		}
	}
	return r, nil
}

// run makes one round of a case.
func (c Case) run(ctx context.Context, o Options, round int) (found []Sample, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the subprocesses that are left after a failure
	o.Case, o.Seed = c.Name, o.Seed+uint64(round)
	if c.N != 0 {
		o.N = c.N
	}
	base := o.Dir
	var all []*child
	for i := range c.Systems {
		o.System = c.Systems[(round+i)%len(c.Systems)]
		if o.Dir, err = os.MkdirTemp(base, "run-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(o.Dir)
		x, err := start(ctx, o, c.Turns > 0)
		if err != nil {
			return nil, err
		}
		if all = append(all, x); c.Turns > 0 {
			continue
		}
		own, err := x.end(round, c.N)
		if err != nil {
			return nil, err
		}
		found, all = append(found, own...), nil
		if err := os.RemoveAll(o.Dir); err != nil {
			return nil, err
		}
	}
	for turn := range c.Turns {
		for i := range all {
			if err := all[(i+turn)%len(all)].turn(); err != nil {
				return nil, err
			}
		}
	}
	for _, x := range all {
		own, err := x.end(round, c.N)
		if err != nil {
			return nil, err
		}
		found = append(found, own...)
	}
	return found, nil
}

// command returns the command that repeats the measurement.
func command(b *Benchmark, f *pflag.FlagSet, o *Options) string {
	text := "go run . " + b.Name
	if b.N != 0 && !strings.Contains(o.Workload, ".csv") { // a file has its own number of members
		text += " --n " + (*sizes)(&o.Sizes).String()
	}
	f.Visit(func(x *pflag.Flag) {
		if x.Name == "n" || x.Name == "dir" || x.Name == "json" {
			return
		}
		v := strings.Trim(x.Value.String(), "[]")
		if strings.ContainsAny(v, "?&*; ") {
			v = "'" + v + "'"
		}
		text += " --" + x.Name + " " + v
	})
	return text
}

// progression prints the progress of a run.
type progression struct {
	w            io.Writer
	of, done     int
	first, began time.Time
}

func (p *progression) start(what string) {
	p.began = time.Now()
	if p.done == 0 {
		p.first = p.began
	}
	fmt.Fprintf(p.w, "%s ... ", what)
}

// end prints the time of a step, and an estimate for the remaining steps.
func (p *progression) end(err error) {
	if err != nil {
		fmt.Fprintln(p.w, "failed")
		return
	}
	p.done++
	fmt.Fprintf(p.w, "%.1f s", time.Since(p.began).Seconds())
	if left := p.of - p.done; left > 0 {
		rest := time.Since(p.first) / time.Duration(p.done) * time.Duration(left)
		fmt.Fprintf(p.w, ", about %v left", rest.Round(time.Second))
	}
	fmt.Fprintln(p.w)
}

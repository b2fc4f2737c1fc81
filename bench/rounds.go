package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/report"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// minRounds is the least number of members, or sets, that a sheet of rounds is made of.
const minRounds = 1000

// rounds are the flags that all commands but compare share.
type rounds struct {
	n     size // members in the set
	dir   string
	count int
	seed  uint64
	json  bool
}

// command returns a command with these flags, that runs run.
func (r *rounds) command(use, short, long, example string, run func(*cobra.Command) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Example: example, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd) },
	}
	r.n = 1_000_000
	f := cmd.Flags()
	f.Var(&r.n, "n", "number of members in the set")
	f.StringVar(&r.dir, "dir", os.TempDir(), "measure the disk that this directory is on; what is made there is taken away again")
	f.IntVar(&r.count, "rounds", minRepetitions, "rounds, 3 or more")
	f.Uint64Var(&r.seed, "seed", 1, "seed of the first round's load; the next ones count on")
	f.BoolVar(&r.json, "json", false, "print every raw figure as JSON instead of tables")
	return cmd
}

// counts says what --n counts, and what it is unless given.
func (r *rounds) counts(cmd *cobra.Command, n size, usage string) {
	f := cmd.Flags().Lookup("n")
	r.n, f.DefValue, f.Usage = n, n.String(), usage
}

// sheet has the rounds made in a directory of their own, and prints what they found.
func (r *rounds) sheet(cmd *cobra.Command, s *report.Sheet,
	measure func(ctx context.Context, progress io.Writer, dir string, s *report.Sheet) error,
) (err error) {
	if r.n < minRounds {
		return fmt.Errorf("--n is %d; it must be %d or more", r.n, minRounds)
	}
	if r.count < minRepetitions {
		return fmt.Errorf("--rounds is %d; a median and a spread need %d or more", r.count, minRepetitions)
	}
	dir, err := os.MkdirTemp(r.dir, "zrank-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, flag := range []string{"rounds", "seed"} {
		if f := cmd.Flags().Lookup(flag); f.Changed {
			s.Command += " --" + flag + " " + f.Value.String()
		}
	}
	s.Machine, s.Rounds, s.Seed, s.MemberBytes = report.ThisMachine(), r.count, r.seed, workload.MemberLen
	if s.Disk, err = disk.Probe(dir); err != nil {
		return err
	}
	if err := measure(cmd.Context(), cmd.ErrOrStderr(), dir, s); err != nil {
		return err
	}
	if r.json {
		return s.WriteJSON(cmd.OutOrStdout())
	}
	return s.WriteTables(cmd.OutOrStdout())
}

// progression tells how far the rounds are.
type progression struct {
	w     io.Writer
	of    int // runs
	done  int
	first time.Time
	began time.Time
}

func (p *progression) start(what string) {
	p.began = time.Now()
	if p.done == 0 {
		p.first = p.began
	}
	fmt.Fprintf(p.w, "%s ... ", what)
}

// end says how long it took, and how long the rest takes if the runs to come are like those made.
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

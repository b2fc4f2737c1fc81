package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
	"github.com/zrankdb/zrank/internal/numbers"
)

// campaign has the flags of the root command.
type campaign struct {
	length    time.Duration
	configs   []string
	seed      uint64
	lines     int
	workers   int
	keepGoing bool
	out       string
}

func newCampaign() *cobra.Command {
	var o campaign
	cmd := command("zrankfuzz", "Run random scripts on every layer of zrank, with crashes, and compare every reply with an oracle",
		`Run random scripts of operations on every layer of zrank, under many configurations, and compare every reply with an oracle:
naive sorted sets, which know what has been promised. Configurations differ in encodings, durability, snapshots, restarts,
killed processes, power cuts, memory limits. After a crash all that was promised must be there, and nothing that never was.

It ends with the first failure: a script, shrunk to few lines, which is written to a file. "zrankfuzz run FILE" replays it.
An interrupt ends it too. At the end a table says what was done.`,
		`  zrankfuzz --for 1m                                   every configuration for a minute
  zrankfuzz --for 10m --seed 7                         the same scripts again, as many as ten minutes hold
  zrankfuzz --for 30s --config engine --config zset    two layers
  zrankfuzz --for 30s --config "engine/*cut*"          configurations by name: see "zrankfuzz list"`,
		cobra.NoArgs, func(c *cobra.Command, _ []string) error { return o.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr()) })
	f := cmd.Flags()
	f.DurationVar(&o.length, "for", time.Minute, "how long to run")
	f.Uint64Var(&o.seed, "seed", 0, "seed of the scripts; 0 takes one from the clock and prints it")
	f.StringArrayVar(&o.configs, "config", nil, "a layer, or a pattern of names such as \"engine/sync*\"; may be given again (default all)")
	f.IntVar(&o.lines, "lines", campaigns.DefaultLines, "operations of each script")
	f.IntVar(&o.workers, "workers", runtime.GOMAXPROCS(0), "scripts at a time")
	f.BoolVar(&o.keepGoing, "keep-going", false, "after a failure go on with the other configurations")
	f.StringVar(&o.out, "out", ".", "directory for scripts that have failed")
	return cmd
}

// run runs a campaign and shows its progress and its results.
func (o *campaign) run(ctx context.Context, out, errs io.Writer) error {
	if o.length <= 0 || o.lines <= 0 || o.workers <= 0 {
		return usagef("--for, --lines and --workers must be above zero")
	}
	if err := writable(o.out); err != nil {
		return usagef("--out: %w", err)
	}
	if o.seed == 0 {
		o.seed = uint64(time.Now().UnixNano())
	}
	disk, err := newDiskDir()
	if err != nil {
		return err
	}
	defer disk.remove()
	configs, err := choose(disk.configs(), o.configs)
	if err != nil {
		return err
	}
	c, err := campaigns.New(campaigns.Plan{Configs: configs, Seed: o.seed, Lines: o.lines, Workers: o.workers, KeepGoing: o.keepGoing})
	if err != nil {
		return err
	}
	fmt.Fprintf(errs, "seed %d: %s, scripts of %s, %s at a time, for %v\n", o.seed, numbers.Plural(len(configs), "configuration"),
		numbers.Plural(o.lines, "line"), numbers.Count(o.workers), o.length)
	ctx, stop := context.WithTimeout(ctx, o.length)
	defer stop()
	p := newProgress(errs, c, o.length)
	failures := c.Run(ctx)
	took := p.stop()
	writeRows(out, c.Rows())
	fmt.Fprintf(out, "%s in %v, seed %d\n", summary(c.Rows(), took), took.Round(time.Second), o.seed)
	if len(failures) == 0 {
		return nil
	}
	all := []error{errors.New(numbers.Plural(len(failures), "failure"))}
	for _, f := range failures {
		all = append(all, o.save(out, f))
	}
	return errors.Join(all...)
}

// writable creates and removes a file in a directory, so that a campaign does not fail at its end.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".zrankfuzz")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// save writes a failure to a file and prints how to replay it.
func (o *campaign) save(out io.Writer, f *campaigns.Failure) error {
	text := f.Saved().String()
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, f.Config)
	path := filepath.Join(o.out, fmt.Sprintf("zrankfuzz-%s-%d.txt", name, f.Seed))
	fmt.Fprintf(out, "\nFAILED: %v\n\n%s of %s lines are left, in %s:\n\n%s\n", f.Err, numbers.Count(len(f.Script)), numbers.Count(f.Lines), path, text)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(out, "Replay it with\n\n  go run ./fuzz/cmd/zrankfuzz run %s\n", path)
	if f.Rarely {
		fmt.Fprintf(out, "\nIt did not fail each time: add --times 100.\n")
	}
	return nil
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/internal/numbers"
)

// replay has the flags of the command run.
type replay struct {
	configs []string
	times   int
	verbose bool
}

func newReplay() *cobra.Command {
	var o replay
	cmd := command("run FILE", "Run a saved script",
		`Run the script in FILE: an operation a line, as "zrankfuzz list" lists them. Lines "# config NAME" say under which configurations,
unless --config does; without either it runs under all.`,
		`  zrankfuzz run fuzz/testdata/scripts/conditions
  zrankfuzz run --config engine --times 20 zrankfuzz-engine-sync-7.txt
  zrankfuzz print --seed 7 --config engine/sync > script; zrankfuzz run --verbose --config engine/sync script`,
		cobra.ExactArgs(1), func(c *cobra.Command, args []string) error { return o.run(c.Context(), c.OutOrStdout(), args[0]) })
	f := cmd.Flags()
	f.StringArrayVar(&o.configs, "config", nil, "a layer, or a pattern of names; may be given again (default what the file says)")
	f.IntVar(&o.times, "times", 1, "how often to run it under each configuration")
	f.BoolVar(&o.verbose, "verbose", false, "show the reply to each operation, and the contents at the end")
	return cmd
}

// run runs a script under each configuration, even after one has failed.
func (o *replay) run(ctx context.Context, out io.Writer, path string) error {
	if o.times <= 0 {
		return usagef("--times must be above zero")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	script, err := parseFile(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	disk, err := newDiskDir()
	if err != nil {
		return err
	}
	defer disk.remove()
	configs, err := o.choose(disk.configs(), script)
	if err != nil {
		return err
	}
	failed := 0
	for _, c := range configs {
		ok, err := o.one(ctx, out, c, script.Script)
		if err != nil {
			return err
		}
		if !ok {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%s: %s of %d failed", path, numbers.Plural(failed, "configuration"), len(configs))
	}
	return nil
}

// parseFile reads a script. Unlike ParseSaved it accepts a first line that is no comment.
func parseFile(text string) (campaigns.Saved, error) {
	if _, err := script.Parse(text); err != nil { // for the number of the line in the file
		return campaigns.Saved{}, err
	}
	if len(text) == 0 || text[0] != '#' {
		text = "# Not saved.\n" + text
	}
	return campaigns.ParseSaved(text)
}

func (o *replay) choose(all []machine.Config, s campaigns.Saved) ([]machine.Config, error) {
	if len(o.configs) > 0 {
		return choose(all, o.configs)
	}
	return s.Choose(all)
}

// one runs a script under one configuration and prints the result.
func (o *replay) one(ctx context.Context, out io.Writer, c machine.Config, script []script.Op) (ok bool, err error) {
	began := time.Now()
	for i := range o.times {
		result, err := campaigns.RunWithin(ctx, c, script, campaigns.DefaultTimeout)
		if ctx.Err() != nil {
			return true, fmt.Errorf("interrupted: %s, run %d", c.Name, i+1)
		}
		if o.verbose {
			writeHistory(out, script, result.History)
		}
		if err != nil {
			fmt.Fprintf(out, "FAILED %s, run %d:\n%v\n", c.Name, i+1, err)
			return false, nil
		}
	}
	fmt.Fprintf(out, "ok %s: %s in %v\n", c.Name, numbers.Plural(o.times, "run"), time.Since(began).Round(time.Millisecond))
	return true, nil
}

// writeHistory shows each operation with its reply.
func writeHistory(out io.Writer, script []script.Op, history []string) {
	for i, reply := range history {
		what := "at the end"
		if i < len(script) {
			what = script[i].String()
		}
		fmt.Fprintf(out, "%4d  %-40s  %s\n", i+1, what, reply)
	}
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/internal/numbers"
	"github.com/zrankdb/zrank/internal/seeded/patches"
)

// bugVariable is the environment variable that names the bug of a process that has been built with seeded bugs.
const bugVariable = "ZRANKFUZZ_BUG"

// bugHunt has the flags of the command bugs.
type bugHunt struct {
	limit   time.Duration
	seed    uint64
	names   []string
	scripts bool
}

func newBugs() *cobra.Command {
	var o bugHunt
	cmd := command("bugs", "Put known bugs into a copy of zrank, one at a time, and see how soon each is found",
		`Put known bugs into a copy of zrank, one at a time, and run the configurations until each is found. A table says under which
configuration that was, after how many seconds, and how many lines the shrunk script has. It fails if one is not found in time.

The bugs are patches in `+patches.Folder+`. They are applied to a copy of the code, and zrankfuzz is built from it. Run this
in zrank's repository.`,
		`  go run ./fuzz/cmd/zrankfuzz bugs
  go run ./fuzz/cmd/zrankfuzz bugs --bug "*tie*" --scripts`,
		cobra.NoArgs, func(c *cobra.Command, _ []string) error { return o.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr()) })
	f := cmd.Flags()
	f.DurationVar(&o.limit, "limit", time.Minute, "how long to look for each bug")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the scripts")
	f.StringArrayVar(&o.names, "bug", nil, "a pattern of names or layers; may be given again (default all)")
	f.BoolVar(&o.scripts, "scripts", false, "show the scripts that have found them")
	return cmd
}

// finding is the result of the search for one bug.
type finding struct {
	Config  string // "" if it was not found
	Seconds float64
	Script  []string
	What    string // the first difference
}

// run builds this program with all seeded bugs, runs it once for each chosen bug, and writes a table of what was found.
func (o *bugHunt) run(ctx context.Context, out, errs io.Writer) error {
	if o.limit <= 0 {
		return usagef("--limit must be above zero")
	}
	root, all, err := readBugs(ctx)
	if err != nil {
		return err
	}
	chosen, err := o.choose(all)
	if err != nil {
		return err
	}
	fmt.Fprintln(errs, "building zrankfuzz with", numbers.Plural(len(all), "bug"))
	program, remove, err := buildWithBugs(ctx, root, all)
	defer remove()
	if err != nil {
		return err
	}
	t := newTable(out, 4, "bug", "layer", "found by", "seconds", "lines")
	missed := 0
	for i, bug := range chosen {
		fmt.Fprintf(errs, "%d of %d: %s\n", i+1, len(chosen), bug.Name)
		f, err := o.find(ctx, program, bug)
		if err != nil {
			return err
		}
		if f.Config == "" {
			missed++
			t.AppendRow([]any{bug.Name, bug.Layer, "NOT FOUND", seconds(f.Seconds), ""})
			continue
		}
		t.AppendRow([]any{bug.Name, bug.Layer, f.Config, seconds(f.Seconds), len(f.Script)})
		if o.scripts {
			fmt.Fprintf(out, "# %s\n# %s\n%s\n\n", bug.Name, f.What, strings.Join(f.Script, "\n"))
		}
	}
	t.AppendFooter([]any{fmt.Sprintf("%d of %d found", len(chosen)-missed, len(chosen)), "", "", "", ""})
	t.Render()
	if missed > 0 {
		return fmt.Errorf("%s not found within %v", numbers.Plural(missed, "bug"), o.limit)
	}
	return nil
}

func seconds(s float64) string { return fmt.Sprintf("%.1f", s) }

// choose returns the bugs that the flags name, of those that scripts must find.
func (o *bugHunt) choose(all []patches.Bug) (chosen []patches.Bug, err error) {
	for _, bug := range all {
		wanted := len(o.names) == 0
		for _, pattern := range o.names {
			ok, err := path.Match(pattern, bug.Name)
			if err != nil {
				return nil, usagef("--bug %q: %w", pattern, err)
			}
			wanted = wanted || ok || pattern == bug.Layer
		}
		if wanted && slices.Contains(bug.FoundBy, patches.Scripts) {
			chosen = append(chosen, bug)
		}
	}
	if len(chosen) == 0 {
		return nil, usagef("no bug that scripts must find is called %q", o.names)
	}
	return chosen, nil
}

// find searches for a bug in a child process, since the bug may end that process.
func (o *bugHunt) find(ctx context.Context, program string, bug patches.Bug) (f finding, err error) {
	began := time.Now()
	cmd := exec.CommandContext(ctx, program, findCommand, bug.Layer, o.limit.String(), fmt.Sprint(o.seed))
	cmd.Env = append(os.Environ(), bugVariable+"="+bug.Name)
	text, err := cmd.Output()
	if ctx.Err() != nil {
		return f, errors.New("interrupted")
	}
	if ended := new(exec.ExitError); errors.As(err, &ended) {
		firstLine, _, _ := strings.Cut(string(ended.Stderr), "\n")
		if strings.HasPrefix(firstLine, "panic: ") || strings.HasPrefix(firstLine, "fatal error: ") {
			return finding{Config: "the end of the process", Seconds: time.Since(began).Seconds(), What: firstLine}, nil
		}
		return f, fmt.Errorf("looking for %q: %w: %s", bug.Name, err, firstLine)
	}
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	return f, err
}

const findCommand = "find-bug"

// newFind returns the hidden command that bugs starts for each bug: a campaign that prints its finding as JSON.
func newFind() *cobra.Command {
	c := command(findCommand+" LAYER LIMIT SEED", "Look for the bug of this process", "", "", cobra.ExactArgs(3), func(c *cobra.Command, args []string) error {
		var seed uint64
		limit, err := time.ParseDuration(args[1])
		if err == nil {
			_, err = fmt.Sscan(args[2], &seed)
		}
		if err != nil {
			return usageError{err}
		}
		f, err := find(c.Context(), args[0], limit, seed)
		if err != nil {
			return err
		}
		return json.NewEncoder(c.OutOrStdout()).Encode(f)
	})
	c.Hidden = true
	return c
}

// findLines is the number of lines of its scripts. They are short, so that all configurations have their turn soon.
const findLines = 150

// ownTurns is the number of turns that a configuration of the bug's layer has for each turn of the others.
const ownTurns = 3

// find runs a campaign until a script fails or the limit is over. Configurations of the bug's layer have their turns first.
func find(ctx context.Context, layer string, limit time.Duration, seed uint64) (finding, error) {
	disk, err := newDiskDir()
	if err != nil {
		return finding{}, err
	}
	defer disk.remove()
	var own, others []machine.Config
	for _, c := range disk.configs() {
		if isOf(c, layer) {
			own = append(own, c)
		} else {
			others = append(others, c)
		}
	}
	configs := append(slices.Repeat(own, ownTurns), others...)
	c, err := campaigns.New(campaigns.Plan{Configs: configs, Seed: seed, Lines: findLines, Workers: runtime.GOMAXPROCS(0), ShrinkFor: limit / 4})
	if err != nil {
		return finding{}, err
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	failures := c.Run(ctx)
	if len(failures) == 0 {
		return finding{Seconds: limit.Seconds()}, nil
	}
	f := failures[0]
	firstLine, _, _ := strings.Cut(f.Err.Error(), "\n")
	return finding{f.Config, f.After.Seconds(), strings.Split(strings.TrimSpace(script.Print(f.Script)), "\n"), firstLine}, nil
}

// isOf reports whether a configuration is of a layer. The layers members and persist have no configurations: they count as zset and engine.
func isOf(c machine.Config, layer string) bool {
	parts := map[string]string{"members": "zset", "persist": "engine"}
	return c.Layer == layer || c.Layer == parts[layer]
}

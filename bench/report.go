package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/render"
)

// reporting is the flags of report.
type reporting struct {
	out, dir      string
	quick, resume bool
	parts         []part
}

// The files of a report.
const (
	htmlFile     = "report.html"
	markdownFile = "report.md"
)

// part is a command that a report measures with.
type part struct{ args, quick string }

// parts are all, in order.
var parts = []part{
	{"compare --n 1e6", "compare --n 1e4 --budget 50ms"},
	{"growth --budget 200ms", "growth --to 1e4 --budget 50ms"},
	{"latency --budget 500ms", "latency --n 1e4 --budget 30ms"},
	{"durable --for 1s", "durable --n 1e4 --for 200ms"},
	{"recover", "recover --n 1e4 --log 1000000 --calls 400"},
}

func newReport() *cobra.Command {
	r := reporting{parts: parts}
	cmd := &cobra.Command{
		Use:   "report [raw.json...]",
		Short: "Write a page of what was measured, or measure it first",
		Long: `Report writes one page of HTML that needs no other file and no network, with charts, and the same as Markdown: machine and commit, the
targets of the design each met or missed, the rows we lose, and every part with its tables.

With files, which the --json of the other commands wrote, it makes the page of them. Without, it measures first: compare, growth, latency,
durable and recover, in about 25 minutes, or in two with --quick, whose small sets say little. Each part's figures are kept as JSON beside
the page, so that --resume goes on where an interrupted run stopped. A redis-server in the path is measured beside.`,
		Example: "  go run . report\n  go run . report --quick --out /tmp/quick\n  go run . report --resume\n" +
			"  go run . report results/2026-11-21.json results/2026-11-22-resp.json --out /tmp/page",
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&r.out, "out", "report", "directory of the page and of the figures measured for it")
	f.StringVar(&r.dir, "dir", os.TempDir(), "measure the disk that this directory is on")
	f.BoolVar(&r.quick, "quick", false, "measure small sets, in about two minutes")
	f.BoolVar(&r.resume, "resume", false, "measure only what an earlier run has left out")
	return cmd
}

func (r *reporting) run(cmd *cobra.Command, files []string) error {
	if len(files) > 0 && (r.quick || r.resume) {
		return errors.New("--quick and --resume are for a report that measures; this one is made of files")
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	if len(files) == 0 {
		var err error
		if files, err = r.measure(cmd.Context(), cmd.ErrOrStderr()); err != nil {
			return err
		}
	}
	results, err := load(files...)
	if err != nil {
		return err
	}
	p, err := render.NewPage(benchmarks, results)
	if err != nil {
		return err
	}
	for name, write := range map[string]func(io.Writer) error{htmlFile: p.WriteHTML, markdownFile: p.WriteMarkdown} {
		if err := create(filepath.Join(r.out, name), write); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n%s\n%s\n", p.Summary(), filepath.Join(r.out, htmlFile), filepath.Join(r.out, markdownFile))
	return err
}

// create writes a file whole or not at all.
func create(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".part-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already if all went well
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// measure runs every part, and returns the files of their figures. Those of a quick run have names of their own.
func (r *reporting) measure(ctx context.Context, progress io.Writer) (files []string, err error) {
	began := time.Now()
	for i, p := range r.parts {
		args, kind := strings.Fields(p.args), ""
		if r.quick {
			args, kind = strings.Fields(p.quick), "quick-"
		}
		file := filepath.Join(r.out, kind+args[0]+".json")
		files = append(files, file)
		if _, err := load(file); err == nil && r.resume {
			fmt.Fprintf(progress, "part %d of %d: %s was measured before\n", i+1, len(r.parts), file)
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(err, fmt.Errorf("%s exists from an earlier run: go on with it by --resume, remove it, or name another --out", file))
		}
		fmt.Fprintf(progress, "part %d of %d, after %v: %s\n", i+1, len(r.parts), time.Since(began).Round(time.Second), strings.Join(args, " "))
		err := create(file, func(w io.Writer) error {
			root := newRoot()
			root.SilenceErrors = true // report prints it
			root.SetArgs(append(args, "--dir", r.dir, "--json"))
			root.SetOut(w)
			root.SetErr(progress)
			return root.ExecuteContext(ctx)
		})
		if ctx.Err() != nil { // the error of the part is that its subprocess was killed
			err = errors.New("interrupted")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w; what was measured is kept: go on with the same flags and --resume", args[0], err)
		}
	}
	return files, nil
}

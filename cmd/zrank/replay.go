package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// replayFlags are what the user chose.
type replayFlags struct {
	dir, board, format, op, order, ties, durability, stdinName string

	windows      []string
	top, batch   int
	skipBad      bool
	resumeEdited bool
}

func newReplay() *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use:   "replay FILE...",
		Short: "Stream score events from CSV into boards and show their tops",
		Long: `Stream score events from CSV files (also gzipped; - is standard input) into boards, then show the top of every board,
window and period.

The first row names the columns, in any order: time (RFC 3339, or Unix seconds or milliseconds), member, delta or score, and
board if there are several.

How far each file has been read is stored in the same commit as the scores it produced. Run the same command again after a
crash and it goes on where it stopped; run it on a finished file and nothing changes. A file is known by its path and by its
bytes, so one that was moved or copied does not count twice. A changed file is refused; a skipped bad row counts as read.

Events that come slowly through a pipe are committed as they come.`,
		Example: `  zrank replay --dir data --window all,year goals.csv.gz
  zcat results.csv.gz | zrank replay --dir data --board arena --op best -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error { return f.run(c, files) },
	}
	dirFlag(c, &f.dir)
	formatFlag(c, &f.format)
	fs := c.Flags()
	fs.StringVar(&f.board, "board", "main", "board of events that name none")
	fs.StringSliceVar(&f.windows, "window", []string{"all"}, "windows of the boards: all, hour, day, week, month, year")
	fs.StringVar(&f.op, "op", "", "sum, best or last (default: sum for a delta column, last for a score column)")
	fs.StringVar(&f.order, "order", "desc", "which scores are better, the high or the low: desc or asc")
	fs.StringVar(&f.ties, "ties", "first", "who stands first at equal scores: first to reach it, last to reach it, or member name")
	fs.IntVar(&f.top, "top", 10, "how many places to show of each ranking; 0 shows none")
	fs.StringVar(&f.durability, "durability", "sync", "when a commit is safe: sync (before going on), interval (within 100 ms) or none (at the end)")
	fs.IntVar(&f.batch, "batch", 1000, "events a commit, at most")
	fs.BoolVar(&f.skipBad, "skip-bad", false, "count and report malformed rows instead of stopping at the first")
	fs.BoolVar(&f.resumeEdited, "resume-edited", false, "go on although the part of a file not yet replayed has changed")
	fs.StringVar(&f.stdinName, "stdin-name", "-", "name under which the position in standard input is kept")
	return c
}

// spec returns the spec of a board, for input of one kind.
func (f *replayFlags) spec(name string, kind events.Kind) board.Spec {
	s := board.Spec{Name: name, Op: board.Op(f.op), Order: board.Order(f.order), Ties: board.Ties(f.ties)}
	if f.op == "" {
		s.Op = board.Sum
		if kind == events.Score {
			s.Op = board.Last
		}
	}
	for _, w := range f.windows {
		s.Windows = append(s.Windows, board.Window(strings.TrimSpace(w)))
	}
	return s
}

// validate finds what is wrong with the flags before anything is touched.
func (f *replayFlags) validate(files []string) (engine.Durability, error) {
	if err := f.spec(f.board, events.Delta).Validate(); err != nil {
		return 0, usageError{err}
	}
	if f.top < 0 || f.batch < 1 || f.batch > maxBatch {
		return 0, usagef("--top is %d, want 0 or more; --batch is %d, want 1 to %d", f.top, f.batch, maxBatch)
	}
	if i := slices.Index(files, "-"); i >= 0 && slices.Contains(files[i+1:], "-") {
		return 0, usagef("- is given twice, but there is one standard input")
	}
	for _, path := range files {
		if _, err := os.Stat(path); path != "-" && err != nil {
			return 0, err
		}
	}
	d, err := engine.ParseDurability(f.durability)
	if err != nil {
		return 0, usagef("--durability is %q, want sync, interval or none", f.durability)
	}
	return d, nil
}

// maxBatch keeps a commit well below what the log takes.
const maxBatch = 10_000

func (f *replayFlags) run(c *cobra.Command, files []string) error {
	durability, err := f.validate(files)
	if err != nil {
		return err
	}
	w, err := newWriter(c, f.format)
	if err != nil {
		return err
	}
	return withEngine(f.dir, engine.Options{Durability: durability}, func(e *engine.Engine) error {
		r := &replay{flags: f, e: e, in: c.InOrStdin(), errs: c.ErrOrStderr(), ctx: c.Context()}
		if err := r.files(files); err != nil {
			return err
		}
		if f.top > 0 {
			if err := writeTops(w, e, f.top); err != nil {
				return err
			}
		}
		return w.Close()
	})
}

// writeTops shows the top of every board, window and period.
func writeTops(w *show.Writer, e *engine.Engine, n int) error {
	return eachRanking(e, func(name string, r board.Ranking) error {
		rows, err := r.Top(n)
		if err != nil {
			return err
		}
		return writeRows(w, name, r, rows)
	})
}

package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// replayFlags are what the user chose.
type replayFlags struct {
	dir, format, durability, stdinName string

	specs        specFlags
	top, batch   int
	skipBad      bool
	resumeEdited bool
}

const replayLong = `Stream score events from CSV files (also gzipped; - is standard input) into boards, then show the top of every board,
window and period.

The first row names the columns, in any order: time (RFC 3339, or Unix seconds or milliseconds), member, the columns of the
score, and board if there are several. A score of one column called score may be called delta. Scores are whole numbers, exact
over the range of int64; for fractions say --column score:float64.

What the boards are is said by flags, one for all, or by a file: --spec holds one spec as JSON, after which all boards of the
rows are made, or an array of specs, one of whose boards each row must name. Only a file can list seasons and events:

  {"name": "arena", "op": "sum", "windows": ["all", "week@Asia/Shanghai+10m#8", {"kind": "seasons", "zone": "Europe/Berlin",
   "seasons": [{"name": "s1", "start": "2026-01-01", "end": "2026-07-01"}]}]}

The directory lives in the time of its data: it is as late there as the latest event that was seen. So a period closes, for
good, when the data passes its end, and its grace: a row for it that comes later is a bad row. Flags give all windows a grace
that does not end, so that rows may come in any order; a spec file says its own.

How far each file has been read is stored in the same commit as the scores it produced. Run the same command again after a
crash and it goes on where it stopped; run it on a finished file and nothing changes. A file is known by its path and by its
bytes, so one that was moved or copied does not count twice. A changed file is refused; a skipped bad row counts as read.

Events that come slowly through a pipe are committed as they come.`

func newReplay() *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use:   "replay FILE...",
		Short: "Stream score events from CSV into boards and show their tops",
		Long:  replayLong,
		Example: `  zrank replay --dir data --window all,year goals.csv.gz
  zrank replay --dir data --window all,week@Asia/Shanghai,day@Europe/Berlin --grace 10m results.csv
  zrank replay --dir data --op sum --column solved --column penalty:asc contest.csv
  zrank replay --dir data --spec boards.json results.csv
  zcat results.csv.gz | zrank replay --dir data --board arena --op best -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error { return f.run(c, files) },
	}
	dirFlag(c, &f.dir)
	formatFlag(c, &f.format)
	f.specs.add(c)
	fs := c.Flags()
	fs.IntVar(&f.top, "top", 10, "how many places to show of each ranking; 0 shows none")
	fs.StringVar(&f.durability, "durability", "sync", "when a commit is safe: sync (before going on), interval (within 100 ms) or none (at the end)")
	fs.IntVar(&f.batch, "batch", 1000, "events a commit, at most")
	fs.BoolVar(&f.skipBad, "skip-bad", false, "count and report bad rows instead of stopping at the first")
	fs.BoolVar(&f.resumeEdited, "resume-edited", false, "go on although the part of a file not yet replayed has changed")
	fs.StringVar(&f.stdinName, "stdin-name", "-", "name under which the position in standard input is kept")
	return c
}

// validate finds what is wrong with the flags before anything is touched.
func (f *replayFlags) validate(c *cobra.Command, files []string) (engine.Durability, error) {
	if _, err := f.specs.resolve(c, events.Delta); err != nil {
		return 0, err
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
	durability, err := f.validate(c, files)
	if err != nil {
		return err
	}
	format, err := parseFormat(f.format)
	if err != nil {
		return err
	}
	return withData(f.dir, engine.Options{Durability: durability}, func(d *data) error {
		specs := func(kind events.Kind) (specs, error) { return f.specs.resolve(c, kind) }
		r := &replay{flags: f, specs: specs, d: d, in: c.InOrStdin(), errs: c.ErrOrStderr(), ctx: c.Context()}
		if err := r.files(files); err != nil {
			return err
		}
		w := show.New(c.OutOrStdout(), format, d.layout())
		if f.top > 0 {
			if err := writeTops(w, d, f.top); err != nil {
				return err
			}
		}
		return w.Close()
	})
}

// writeTops shows the top of every board, window and period.
func writeTops(w *show.Writer, d *data, n int) error {
	return d.each(func(b *board.Board, r board.Ranking) error {
		rows, err := r.Top(n)
		if err != nil {
			return err
		}
		return writeRows(w, b, r, rows)
	})
}

// advice says what to do about a score of the wrong kind.
func advice(err error) error {
	return fmt.Errorf("%w; --column NAME:float64, or \"kind\": \"float64\" in a spec, takes fractions", err)
}

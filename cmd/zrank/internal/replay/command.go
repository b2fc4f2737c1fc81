package replay

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
	"github.com/zrankdb/zrank/engine"
)

const replayLong = `Stream score events from CSV files (also gzipped; - is standard input) into boards, then show the top of every board,
window and period.

The first row names the columns, in any order: time, member, the columns of the score, board if there are several, and op if rows
remove members. A score of one column called score may be called delta; if a file has both, --column says which. Scores are whole numbers, exact over the
range of int64; for fractions say --column score:float64, or in a spec file "decimals": 2. --rename and --ignore-columns read
files with other columns.

A field that is empty or - leaves its column out, if the spec file says "absent" of the column; otherwise the row is a bad row. A file
has no columns for those that the boards compute ("of"). The field op is empty or submit for a result, and remove to remove the member
from all periods that take results at that moment. A row that removes a member has no score; its next result counts as its first.

Times are RFC 3339 or Unix times, all of a file in one unit; 2026-03-01 00:00:00, with or without a fraction, is UTC. The first row decides which (--time-unit auto): the coarsest of s, ms, us, ns
in which it is of the years 0 to 9999. If that year is not one of 1840 to 2099, the file is refused until --time-unit says it; so are
milliseconds of 1968 to 1977, which might be seconds. The guess is wrong for a file in ms, us or ns whose first time is within
48 days of 1970-01-01. A row of another unit is a bad row. A replay that is resumed keeps the unit.

What the boards are is said by flags, one for all, or by a file: --spec holds one spec as JSON, after which all boards of the
rows are made, or an array of specs, one of whose boards each row must name. Only a file can list seasons and events:

  {"name": "arena", "op": "sum", "windows": ["all", "week@Asia/Shanghai+10m#8", {"kind": "seasons", "zone": "Europe/Berlin",
   "seasons": [{"name": "s1", "start": "2026-01-01", "end": "2026-07-01"}]}]}

An array may have specs of boards of groups ("derived") behind those of the boards that they follow. They take no rows, and are made with the board that they
follow, and the kinds of groups that they name with them: see "zrank groups".

The directory lives in the time of its data: it is as late there as the latest event that was seen. So a period closes, for
good, when the data passes its end, and its grace: a row for it that comes later is a bad row. Flags give all windows a grace
that does not end, so that rows may come in any order; a spec file says its own.

One wrong time could close everything. So a row is a bad row if it is more than --max-ahead later than all rows of its file before it, and
most of the next 64 rows go back. After a pause of years the rows do not go back: they are good. The last row of a file is bad
if it is that late, since no row confirms it; the first row is compared with those after it. If the rows are in no order of time,
none is too far ahead. The default, ten years, is longer than nearly all pauses; a feed without pauses wants less, as 48h.

A replay stops at the first bad row; what comes before it is in. With --skip-bad it goes on, and says at the end, on standard error, how
many rows were refused and why, with the line of the first of each kind. It exits with 0 then, but with 1 if it took no row of a
file, or refused the last ten or more (not counting rows outside of all seasons, or of boards that are not in the spec file).

How far each file has been read is stored in the same commit as the scores it produced. Run the same command again after a
crash and it goes on where it stopped; run it on a finished file and nothing changes; append rows and it reads these. A file is known
by its path and by its bytes, so one that was moved or copied does not count twice. A file that was changed otherwise is refused; a
skipped bad row counts as read. A replay that fails before it has stored anything leaves no directory behind.

Events that come slowly through a pipe are committed as they come; one that seems too far ahead waits for those after it.`

// New returns the command "zrank replay".
func New() *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use:   "replay FILE...",
		Short: "Stream score events from CSV into boards and show their tops",
		Long:  replayLong,
		Example: `  zrank replay --dir data --window all,year goals.csv.gz
  zrank replay --dir data --window all,week@Asia/Shanghai,day@Europe/Berlin --grace 10m results.csv
  zrank replay --dir data --op sum --column solved --column penalty:asc contest.csv
  zrank replay --dir data --spec boards.json results.csv
  zrank replay --dir data --time-unit ms --rename ts=time,player=member,points=score --ignore-columns '*' export.csv
  zrank replay --dir data --spec boards.json --skip-bad --max-ahead 48h feed.csv
  zcat results.csv.gz | zrank replay --dir data --board arena --op best -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error { return f.run(c, files) },
	}
	flags.Dir(c, &f.dir)
	flags.Format(c, &f.format)
	flags.Ranks(c, &f.ranks)
	f.specs.Add(c)
	f.reading.add(c)
	fs := c.Flags()
	fs.IntVar(&f.top, "top", 10, "how many places to show of each ranking; 0 shows none")
	fs.StringVar(&f.durability, "durability", "sync", "when a commit is safe: sync (before going on), interval (within 100 ms) or none (at the end)")
	fs.IntVar(&f.batch, "batch", 1000, "events a commit, at most; of boards with a journal only those of one time")
	fs.Var(&f.memoryLimit, "memory-limit", "what boards may take of memory, as 64MiB or 4GiB; 0: any; the others leave for the disk")
	fs.BoolVar(&f.skipBad, "skip-bad", false, "count and report bad rows instead of stopping at the first")
	fs.BoolVar(&f.resumeEdited, "resume-edited", false, "go on although the part of a file not yet replayed has changed, other than by rows at its end")
	fs.StringVar(&f.stdinName, "stdin-name", "-", "name under which the position in standard input is kept")
	return c
}

// parse checks the flags before the replay opens anything.
func (f *replayFlags) parse(c *cobra.Command) (err error) {
	if _, err := f.specs.Resolve(c, events.Delta); err != nil {
		return err
	}
	if err := f.reading.parse(); err != nil {
		return err
	}
	if f.top < 0 {
		return flags.Errorf("--top is %d, want 0 or more", f.top)
	}
	if f.batch < 1 || f.batch > maxBatch {
		return flags.Errorf("--batch is %d, want 1 to %d", f.batch, maxBatch)
	}
	if f.mode, err = flags.ParseRanks(f.ranks); err != nil {
		return err
	}
	if f.shown, err = flags.ParseFormat(f.format); err != nil {
		return err
	}
	f.engine.MemoryLimit = int64(f.memoryLimit)
	if f.engine.Durability, err = engine.ParseDurability(f.durability); err != nil {
		return flags.Errorf("--durability is %q, want sync, interval or none", f.durability)
	}
	return nil
}

// maxBatch keeps a commit well below the largest that the log takes.
const maxBatch = 10_000

// run replays the files and shows the rankings. After an error it shows them only if that is a refusedError and events were applied.
func (f *replayFlags) run(c *cobra.Command, files []string) error {
	if err := f.parse(c); err != nil {
		return err
	}
	whole := context.WithoutCancel(c.Context()) // an interrupt ends a replay between two commits
	r := &replay{flags: f, specs: func(kind events.Kind) (specs.Specs, error) { return f.specs.Resolve(c, kind) }, in: c.InOrStdin(), errs: c.ErrOrStderr(), ctx: c.Context()}
	first, err := r.openFirst(files)
	if err != nil {
		return err
	}
	defer first.Close()
	return datadir.Make(f.dir, f.engine, func(d *datadir.Data) (stored bool, err error) {
		r.d = d
		failed := r.files(whole, files, first)
		if failed != nil && (!errors.As(failed, new(refusedError)) || r.applied == 0) {
			return r.applied > 0, failed
		}
		return true, errors.Join(f.show(c, d), failed)
	})
}

// show shows the top of every board, window and period.
func (f *replayFlags) show(c *cobra.Command, d *datadir.Data) error {
	w := show.New(c.OutOrStdout(), f.shown, d.Layout())
	if f.top > 0 {
		whole := context.WithoutCancel(c.Context())
		err := d.Each(whole, func(b board.Board, r board.Ranking) error {
			r = r.By(f.mode)
			rows, err := r.Top(whole, f.top)
			if err != nil {
				return err
			}
			return datadir.WriteRows(whole, w, b.Spec(), r, rows)
		})
		if err != nil {
			return err
		}
	}
	return w.Close()
}

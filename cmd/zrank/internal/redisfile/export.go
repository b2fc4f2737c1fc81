package redisfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/jedib0t/go-pretty/v6/progress"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/boardfile"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/rdbfile"
)

// NewExport returns the command export.
func NewExport() *cobra.Command {
	var dir, match, format string
	var db int
	var plain, partial, force bool
	c := &cobra.Command{
		Use:   "export FILE [BOARD...]",
		Short: "Write the keys of a directory as a Redis file, or its boards as lines of JSON or CSV",
		Long: `Write the sorted sets, plain sets and strings of the directory that --dir names to FILE, with their databases and their expiry, as redis-server 7.0 would: Redis
and Valkey load it as dump.rdb. "-" is standard output. FILE appears when it is whole, and only its owner can read it. It must not exist, unless --force is given, which
replaces it.

Sets of boards are left out and counted.

With --format jsonl FILE has boards, those that are named or all, with everything that they have, and their groups: "zrank import FILE" makes them again in another directory. What
cannot be written, such as a journal, is an error that names it, unless --partial is given.

With --format csv FILE has the rankings of boards, those that are named or all: a row for each member of each period of each window, best first, with the
columns board, window, period, rank, member, those of the scores, reached and meta. Spreadsheets open it; it is UTF-8. It does not come back: only jsonl does. A
text that a spreadsheet would take for a formula begins with an apostrophe; one that is no UTF-8, or that has a formula behind a semicolon, a tab or the end of a
line, is "base64:" and its base64. "zrank top --format csv" has the bytes as they are.`,
		Example: `  zrank export --dir data --format rdb dump.rdb
  zrank export --dir data --format jsonl boards.jsonl
  zrank export --dir data --format csv arena.csv arena
  zrank export --dir data --match 'lb:*' --db 0 - | redis-check-rdb /dev/stdin`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			to := output{args[0], force}
			switch o := (boardfile.Options{Dir: dir, Boards: args[1:], Partial: partial}); {
			case format == "jsonl":
				return exportBoards(c, to, boardfile.Export, o)
			case format == "csv":
				return exportBoards(c, to, boardfile.ExportCSV, o)
			case format != "rdb":
				return flags.Errorf("--format is %q, want rdb, jsonl or csv", format)
			case len(args) > 1:
				return flags.Errorf("boards are for --format jsonl and csv: an RDB file has none")
			}
			how := rdbfile.ExportOptions{Match: match, DB: db, Plain: plain}
			if err := (rdbfile.ImportOptions{DB: db}).Validate(); err != nil {
				return flags.Wrong(err)
			}
			return export(c, dir, to, how)
		},
	}
	flags.Dir(c, &dir)
	choice(c, &match, &db)
	c.Flags().StringVar(&format, "format", "rdb", "what to write: rdb; jsonl or csv for boards")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"rdb", "jsonl", "csv"}, cobra.ShellCompDirectiveNoFileComp)) // it fails only without such a flag
	c.Flags().BoolVar(&plain, "plain", false, "do not compress long strings")
	c.Flags().BoolVar(&force, "force", false, "replace FILE if it exists")
	c.Flags().BoolVar(&partial, "partial", false, "with jsonl: leave out what cannot be written")
	return c
}

// exportBoards writes boards, and says which, on standard error if they go to standard output.
func exportBoards(c *cobra.Command, to output, write func(context.Context, io.Writer, boardfile.Options) (boardfile.Report, error), o boardfile.Options) error {
	b := newBar(c.ErrOrStderr(), to.path, 0, progress.UnitsDefault)
	defer b.stop()
	o.Progress = func(board string, n int) { b.move(show.Printable(board), int64(n), 0) }
	out := c.OutOrStdout()
	var r boardfile.Report
	err := to.write(out, func(w io.Writer) (err error) {
		r, err = write(c.Context(), w, o)
		return err
	})
	b.stop()
	if err != nil {
		return err
	}
	if to.path == "-" {
		out = c.ErrOrStderr()
	}
	return boardfile.List.Write(out, show.Table, r)
}

// export writes the keys of a directory, and says on standard output what, or on standard error if the file goes there.
func export(c *cobra.Command, dir string, to output, how rdbfile.ExportOptions) error {
	b := newBar(c.ErrOrStderr(), to.path, 0, progress.UnitsDefault)
	defer b.stop()
	how.Progress = func(done, of int) { b.move(to.path, int64(done), int64(of)) }
	var r *rdbfile.ExportReport
	out := c.OutOrStdout()
	err := datadir.OpenEngine(dir, engine.Options{MustExist: true, FeedLogBytes: datadir.FeedLog}, func(e *engine.Engine) error {
		return to.write(out, func(w io.Writer) (err error) {
			r, err = rdbfile.Export(c.Context(), e, w, how)
			return err
		})
	})
	b.stop()
	if err != nil {
		return err
	}
	if to.path == "-" {
		out = c.ErrOrStderr()
	}
	return rowList.Write(out, show.Table, exportRows(r))
}

// output is the file that an export writes; "-" is standard output.
type output struct {
	path  string
	force bool // replace a file that is there
}

// errFileExists is returned for a file that is there.
var errFileExists = errors.New("exists: --force replaces it")

// vacant returns an error if the file is there and may not be replaced.
func (o output) vacant() error {
	if o.force {
		return nil
	}
	_, err := os.Lstat(o.path)
	switch {
	case err == nil:
		return fmt.Errorf("%s %w", o.path, errFileExists)
	case errors.Is(err, os.ErrNotExist):
		return nil
	}
	return err
}

// write writes the file, which appears when it is whole, or writes to out for "-".
func (o output) write(out io.Writer, write func(io.Writer) error) (err error) {
	if o.path == "-" {
		b := bufio.NewWriterSize(out, 64<<10)
		if err := write(b); err != nil {
			return err
		}
		return b.Flush()
	}
	if err := o.vacant(); err != nil { // before the work
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(o.path), "."+filepath.Base(o.path)+".*") // mode 0600
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = o.vacant() // another process may have made it meanwhile
	}
	if err == nil {
		err = os.Rename(f.Name(), o.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

package boardfile

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/internal/printable"
)

// ExportCSV writes the rankings of boards of a directory, a row each, with the columns of show.Row, when the score was reached, and the metadata. Texts are
// written by printable.Cell, for spreadsheets; Import does not read the file. Errors: those of the directory, of ctx and of w, with the name of the board. O(rows), with one
// period in memory at a time.
func ExportCSV(ctx context.Context, w io.Writer, o Options) (report Report, err error) {
	err = datadir.Open(o.Dir, datadir.Existing, func(d *datadir.Data) error {
		boards, err := chosen(ctx, d, o.Boards)
		if err != nil {
			return err
		}
		x := &rows{ctx: ctx, o: &o, boards: d.Boards, out: csv.NewWriter(w)}
		if err := x.header(boards); err != nil {
			return err
		}
		for _, b := range boards {
			row, err := x.board(ctx, b)
			if err != nil {
				return fmt.Errorf("%q: %w", b.Name(), err)
			}
			report = append(report, row)
		}
		x.out.Flush()
		return x.out.Error()
	})
	return report, err
}

// chosen returns the boards of some names, all for none. Error: board.ErrNoBoard.
func chosen(ctx context.Context, d *datadir.Data, names []string) (boards []board.Board, err error) {
	if len(names) == 0 {
		return d.Boards.All(), nil
	}
	for _, name := range names {
		b, err := d.Boards.Board(ctx, name)
		if err != nil {
			return nil, err
		}
		boards = append(boards, b)
	}
	return boards, nil
}

// rows writes the rows of rankings.
type rows struct {
	ctx     context.Context
	o       *Options
	boards  *local.Boards
	out     *csv.Writer
	columns []string // the names of the score columns of all boards, as they are in the header
	cells   []string // of the present row
	n       int      // rows so far
}

// header writes the first line. A score column of one board is that of another one if they have the same name.
func (x *rows) header(boards []board.Board) error {
	for _, b := range boards {
		for _, name := range datadir.ColumnNames(b.Spec()) {
			if !slices.Contains(x.columns, name) {
				x.columns = append(x.columns, name)
			}
		}
	}
	names := []string{"board", "window", "period", "rank", "member"}
	for _, name := range x.columns {
		names = append(names, printable.Cell(name))
	}
	return x.out.Write(append(names, "reached", "meta"))
}

// board writes all rankings of a board: windows in the order of the spec, periods in the order of time.
func (x *rows) board(ctx context.Context, b board.Board) (Row, error) {
	done := Row{Board: b.Name()}
	all, err := datadir.Periods(ctx, b)
	if err != nil {
		return done, err
	}
	columns := make([]int, len(x.columns))
	names, rolling := datadir.ColumnNames(b.Spec()), map[string]bool{}
	for i, name := range x.columns {
		columns[i] = slices.Index(names, name)
	}
	for _, w := range b.Spec().Windows {
		rolling[w.Name] = w.Kind == window.Rolling
	}
	before := x.n
	for _, u := range all {
		r, err := b.Period(ctx, u.Window, u.Period)
		if err == nil && rolling[u.Window] { // results leave it while it is written
			r, err = r.Pin(x.ctx)
		}
		if err == nil {
			err = x.ranking(ctx, r, columns)
		}
		if err == nil {
			err = x.unload(ctx, b.Name(), u.Window, u.Period)
		}
		if err != nil {
			return done, fmt.Errorf("%s of window %s: %w", u.Period, u.Window, err)
		}
		done.Periods++
	}
	done.Entries = x.n - before
	return done, nil
}

// unload makes a ranking leave memory: a later period takes its place.
func (x *rows) unload(ctx context.Context, name, window, period string) error {
	hints, err := x.boards.Hints(name)
	if err != nil {
		return err
	}
	keys, err := hints.Read(ctx, nil, window, period)
	if err != nil {
		return err
	}
	return x.boards.Engine().Unload(keys...)
}

// every is the number of rows between two calls of Progress.
const every = 1000

// ranking writes the rows of a ranking. columns are the numbers of its score columns for those of the header, -1 for those that it does not have.
func (x *rows) ranking(ctx context.Context, r board.Ranking, columns []int) error {
	i, err := r.Info(ctx)
	if err != nil {
		return err
	}
	at := []string{printable.Cell(i.Board), printable.Cell(i.Window), printable.Cell(i.Period)}
	for row, err := range r.All(ctx) {
		if err != nil {
			return err
		}
		x.cells = append(append(x.cells[:0], at...), row.RankText(), printable.Cell(row.Member))
		for _, c := range columns {
			x.cells = append(x.cells, valueOf(row.Score, c))
		}
		reached := ""
		if !row.Reached.IsZero() {
			reached = row.Reached.UTC().Format(time.RFC3339Nano)
		}
		if err := x.out.Write(append(x.cells, reached, printable.Cell(string(row.Meta)))); err != nil {
			return err
		}
		if x.n++; x.n%every == 0 {
			x.o.progress(i.Board, x.n)
			if err := x.ctx.Err(); err != nil {
				return err
			}
		}
	}
	x.o.progress(i.Board, x.n)
	return nil
}

// valueOf returns a column of a score as a cell; "" if it is absent, and for column -1.
func valueOf(score board.Score, column int) string {
	if column < 0 || score.At(column).IsAbsent() {
		return ""
	}
	return score.At(column).String()
}

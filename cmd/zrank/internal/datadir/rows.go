package datadir

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

// Shown converts rows of a ranking to rows of package show.
func Shown(i board.Info, rows []board.Row) []show.Row {
	out := make([]show.Row, len(rows))
	for k, row := range rows {
		out[k] = show.Row{Board: i.Board, Window: i.Window, Period: i.Period, Row: row}
	}
	return out
}

// WriteRows writes rows of a ranking of a board with a spec under its title. Errors: those of r and w.
func WriteRows(ctx context.Context, w *show.Writer, spec board.Spec, r board.Ranking, rows []board.Row) error {
	i, err := r.Info(ctx)
	if err != nil {
		return err
	}
	return w.Write(show.Title(i.Board, i.Window, i.Period), ColumnNames(spec), Shown(i, rows))
}

// ColumnNames returns the names of the columns of a board's scores.
func ColumnNames(s board.Spec) []string {
	names := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		names[i] = c.Name
	}
	return names
}

// Layout returns the layout for the rankings of all boards.
func (d *Data) Layout() (l show.Layout) {
	for _, b := range d.Boards.All() {
		for _, name := range ColumnNames(b.Spec()) {
			if !slices.Contains(l.Columns, name) {
				l.Columns = append(l.Columns, name)
			}
		}
	}
	return l
}

package boardoracle

import (
	"github.com/zrankdb/zrank/board"
)

// capped returns the rows of all members of a ranking with the ranks that a board shows: with Top, members beyond the best n share one, unless it has
// segments. Then the board is near to these ranks.
func (w *World) capped(entries map[string]entry) []board.Row {
	rows := w.rows(w.visible(entries))
	for i := range rows {
		if w.spec.Top == nil || i < w.spec.Top.N {
			continue
		}
		if rows[i].Beyond = true; w.spec.Top.Segments == 0 {
			rows[i].Rank, rows[i].Within = w.spec.Top.N+1, board.Unknown
		}
	}
	return rows
}

// shown returns those of the rows of capped that are in the ranking.
func (w *World) shown(rows []board.Row) []board.Row {
	if w.spec.Top == nil {
		return rows
	}
	return rows[:min(w.spec.Top.N, len(rows))]
}

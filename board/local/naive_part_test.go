package local

import (
	"slices"

	"github.com/zrankdb/zrank/board"
)

// of returns the board as it is to a submission to some windows: without the others. With no names it returns the board.
func (n *naive) of(windows []string) *naive {
	if len(windows) == 0 {
		return n
	}
	part := *n
	part.windows = nil
	for _, w := range n.windows {
		if slices.Contains(windows, w.Label()) {
			part.windows = append(part.windows, w)
		}
	}
	return &part
}

// take takes what a submission to a part of the board has changed. A row that it has added to the history gets places for the windows of the board.
func (n *naive) take(part *naive) {
	if part == n {
		return
	}
	windows, rows := n.windows, len(n.history)
	for i := rows; i < len(part.history); i++ {
		n.widen(part, &part.history[i])
	}
	if len(part.history) > rows && n.spec.Journal > 0 {
		n.widen(part, &part.journal[len(part.journal)-1])
	}
	*n = *part
	n.windows = windows
}

// widen gives a row of a part the windows of the board.
func (n *naive) widen(part *naive, row *naiveLogged) {
	periods, changed, had := row.periods, row.changed, row.had
	row.periods, row.changed, row.had, row.Windows = make([]board.Period, len(n.windows)), make([]bool, len(n.windows)), make([]bool, len(n.windows)), nil
	for i, w := range n.windows {
		if j := slices.Index(part.windows, w); j >= 0 {
			row.periods[i], row.changed[i], row.had[i], row.Windows = periods[j], changed[j], had[j], append(row.Windows, w.Label())
		}
	}
	if len(part.windows) == len(n.windows) {
		row.Windows = nil
	}
}

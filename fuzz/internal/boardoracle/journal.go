package boardoracle

import (
	"context"
	"iter"
	"slices"

	"github.com/zrankdb/zrank/board"
)

// trimStep is how many rows a journal that has become shorter loses with each new row, at most.
const trimStep = 16

// nextRow returns the number of the next row of the journal, 0 if the board has none.
func (w *World) nextRow() uint64 {
	if w.spec.Journal == 0 {
		return 0
	}
	return w.logged.number + 1
}

// log adds a row to the journal of the board, if it has one.
func (b boardAt) log(row loggedRow) {
	row.Number, row.Arrived, row.version = b.nextRow(), b.now.UTC(), b.version
	if row.Number == 0 {
		return
	}
	l := &b.logged
	l.number = row.Number
	l.history = append(slices.Clip(l.history), row)
	l.rows = append(slices.Clip(l.rows), row)
	l.rows = l.rows[min(trimStep, max(0, len(l.rows)-b.spec.Journal)):]
}

// logRemoval adds a row for the removal of a member from some rankings.
func (b boardAt) logRemoval(member string, rankings []string) {
	if len(rankings) == 0 {
		return
	}
	row := loggedRow{JournalRow: board.JournalRow{Member: member, At: b.now.UTC(), Removal: true}, removals: map[string]bool{}}
	for _, name := range rankings {
		row.removals[name] = true
	}
	b.log(row)
}

// Journal iterates over the journal, newest row first.
func (b boardAt) Journal(ctx context.Context, q board.JournalQuery) iter.Seq2[board.JournalRow, error] {
	return func(yield func(board.JournalRow, error) bool) {
		if b.spec.Journal == 0 {
			yield(board.JournalRow{}, board.ErrNoJournal)
			return
		}
		for _, row := range slices.Backward(b.logged.rows) {
			if !row.blank && (q.Member == "" || row.Member == q.Member) && !row.Arrived.Before(q.Since) && !yield(row.JournalRow, nil) {
				return
			}
		}
	}
}

package periods

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/journal"
)

// undo is what the rows of the journal since the moment undo.
type undo struct {
	*call
	out     map[string]bool           // members whose rows are left out
	entries map[string]journal.Before // that members had at the moment, of those with later rows: Had, Score and Tie

	newest uint64           // the first row that was read; 0: there is none
	last   mark             // the last row that was read
	done   bool             // it is of the moment or earlier
	stop   *board.UndoError // of the last row, if it cannot be undone
}

// mark is a row and when it arrived.
type mark struct {
	number  uint64
	arrived time.Time
}

// read reads the rows since the moment, newest first. now is the time before the ranking was copied. Errors: a *BeforeJournalError, an *UndoError,
// ErrNotInJournal, that of ctx, those of the engine.
func (u *undo) read(ctx context.Context, now time.Time) error {
	for below := uint64(math.MaxInt64); below > 0 && !u.done && u.stop == nil; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := journal.Page(ctx, u.b, u.st, &below, "", u.next); err != nil {
			return err
		}
	}
	switch {
	case u.stop != nil:
		return u.stop
	case u.isRow && u.row > u.newest:
		return fmt.Errorf("%w: row %d of %q, whose newest one is row %d", board.ErrNotInJournal, u.row, u.st.Name, u.newest)
	case u.done || u.isStart(now):
		return nil
	}
	e := &board.BeforeJournalError{Board: u.st.Name, Row: u.row, At: u.at}
	if u.newest > 0 {
		e.First, e.Since = u.last.number-1, u.last.arrived
	}
	return e
}

// isStart reports whether the moment is that before the oldest row, which is undone like all others.
func (u *undo) isStart(now time.Time) bool {
	switch {
	case u.newest > 0:
		return u.isRow && u.row+1 == u.last.number
	case u.isRow:
		return u.row == 0
	}
	return !u.at.Before(now)
}

// next goes over the next row.
func (u *undo) next(r *journal.Row) {
	if u.done || u.stop != nil {
		return
	}
	u.newest = max(u.newest, r.Number)
	u.last = mark{r.Number, time.UnixMicro(r.Arrived).UTC()}
	if u.done = r.Number <= u.row; !u.isRow {
		u.done = !u.last.arrived.After(u.at)
	}
	if !u.done && r.Kind != journal.Blank && r.Reverted == 0 && !u.out[string(r.Member)] {
		u.undo(r)
	}
}

// undo takes the entry that a member had before a row, if the row concerns the period.
func (u *undo) undo(r *journal.Row) {
	before, ok := u.before(r)
	if !ok {
		return
	}
	switch {
	case r.Version == 0:
		u.refuse(r, board.UndoMerged)
	case r.Version != u.st.Version:
		u.refuse(r, board.UndoMigrated)
	case r.Kind == journal.Removal && !r.Entries:
		u.refuse(r, board.UndoNoEntries)
	default:
		before.Tie = bytes.Clone(before.Tie) // of the transaction
		u.entries[string(r.Member)] = before
	}
}

// before returns the entry that the member of a row had before it in the period, and false if the row does not concern the period. It is not known of a row
// of another version.
func (u *undo) before(r *journal.Row) (b journal.Before, ok bool) {
	present := r.Version == u.st.Version
	if r.Kind == journal.Removal {
		for _, p := range r.Removed {
			if p.Period == u.slot.Name && (!present || p.Window == u.window) {
				return journal.Before{Had: p.Had, Score: p.Score, Tie: p.Tie}, true
			}
		}
		return b, false
	}
	if p, err := u.t.PeriodAt(time.UnixMicro(r.At)); err != nil || p.Name != u.slot.Name {
		return b, false
	}
	if !present {
		return b, true
	}
	b = r.Befores[u.window]
	return b, !b.Outside
}

// refuse notes a row that cannot be undone.
func (u *undo) refuse(r *journal.Row, why board.UndoReason) {
	u.stop = &board.UndoError{Board: u.st.Name, Window: u.t.Window.Name, Period: u.slot.Name, Row: r.Number, Arrived: u.last.arrived, Member: string(r.Member), Reason: why}
}

// time returns the moment as a time.
func (u *undo) time() time.Time {
	switch {
	case !u.isRow:
		return u.at
	case u.newest == 0:
		return u.b.Engine().Now()
	case !u.done:
		return u.last.arrived.Add(-time.Microsecond)
	}
	return u.last.arrived
}

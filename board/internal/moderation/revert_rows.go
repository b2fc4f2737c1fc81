package moderation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/state"
)

func timeOf(micro int64) time.Time { return time.UnixMicro(micro).UTC() }

// selects reports whether a row of the member is to be reverted.
func selects(s board.Reversion, r *journal.Row) bool {
	switch {
	case r.Kind != journal.Submission || r.Reverted > 0:
		return false
	case s.Row > 0:
		return r.Number == s.Row
	}
	return !timeOf(r.Arrived).Before(s.Since)
}

// found is the rows of a member in the journal, as a look before the transaction has found them.
type found struct {
	numbers []uint64       // of the first row that is to be reverted and all later ones, in order
	last    uint64         // the newest row of the board then
	times   map[int64]bool // At of the rows that are to be reverted
}

// find looks for the rows of a member, some at a time. Errors: those of check; that of ctx, those of the engine.
func find(ctx context.Context, b *catalog.Board, st *state.State, member string, spec board.Reversion) (f found, err error) {
	f.times = map[int64]bool{}
	var j known
	first := 0 // how many of numbers there are when the first one to be reverted is the last
	for below := uint64(math.MaxInt64); below > 0; {
		if err := ctx.Err(); err != nil {
			return f, err
		}
		err := journal.Page(ctx, b, st, &below, "", func(r *journal.Row) {
			f.last = max(f.last, r.Number)
			if r.Kind == journal.Blank {
				return
			}
			j.oldest = mark{r.Number, r.Arrived}
			if r.Version == st.Version {
				j.first = j.oldest
			}
			if string(r.Member) != member {
				return
			}
			j.hasRow = j.hasRow || r.Number == spec.Row && r.Kind == journal.Submission
			if r.Number == spec.Row {
				j.reverted = r.Reverted
			}
			f.numbers = append(f.numbers, r.Number)
			if !selects(spec, r) {
				return
			}
			first, f.times[r.At] = len(f.numbers), true
			j.stale = j.stale || r.Version != st.Version
		})
		if err != nil {
			return f, err
		}
	}
	f.numbers = f.numbers[:first]
	slices.Reverse(f.numbers)
	return f, j.check(st, member, spec)
}

// mark is where a journal begins.
type mark struct {
	number  uint64
	arrived int64
}

// known is what a look at a journal has found out.
type known struct {
	oldest   mark   // the oldest row
	first    mark   // the oldest one of the present version of the board
	stale    bool   // one of the rows that are to be reverted is of an earlier version
	hasRow   bool   // the row that was asked for is there, and a submission of the member
	reverted uint64 // the entry of the audit log that has reverted it
}

// check returns an error if the journal does not have what is to be reverted: a *JournalError, or ErrReverted.
func (j *known) check(st *state.State, member string, spec board.Reversion) error {
	dropped := spec.Row == 0 && j.oldest.number > 1 && spec.Since.Before(timeOf(j.oldest.arrived))
	switch {
	case dropped || j.stale || spec.Row > 0 && !j.hasRow:
		missing := &board.JournalError{Board: st.Name, Member: member, Row: spec.Row, First: j.first.number}
		if j.first.number > 0 {
			missing.Since = timeOf(j.first.arrived)
		}
		return missing
	case j.reverted > 0:
		return fmt.Errorf("%w: row %d of the journal of %q, by entry %d of the audit log", board.ErrReverted, spec.Row, st.Name, j.reverted)
	}
	return nil
}

// read reads the rows again in the transaction, and those that have come since. Errors: ErrAgain if one is gone, those of the engine.
func (f found) read(l journal.Log, member string) (rows []journal.Row, err error) {
	for _, number := range f.numbers {
		r, ok, err := l.Row(number)
		if err == nil && (!ok || string(r.Member) != member) {
			err = state.ErrAgain
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return l.AppendOf(rows, member, f.last+1)
}

// spots returns the spots of the rows that are to be reverted: windows as in the spec, periods in order of time.
func (f found) spots(b *catalog.Board, st *state.State, member string) (spots []*spot, err error) {
	for _, t := range st.Timelines {
		from, seen := len(spots), map[string]bool{}
		for at := range f.times {
			if !t.HasPeriod(timeOf(at)) { // the submission did not go there
				continue
			}
			slot, err := t.SlotAt(timeOf(at))
			if err != nil {
				return nil, err
			}
			if !seen[slot.Name] {
				seen[slot.Name] = true
				s := &spot{Place: place.Of(b, st, t, slot, member)}
				s.Counts = true
				spots = append(spots, s)
			}
		}
		slices.SortFunc(spots[from:], func(a, b *spot) int { return a.Slot.Start.Compare(b.Slot.Start) })
	}
	return spots, nil
}

// noJournal returns ErrNoJournal if the board has none.
func noJournal(st *state.State) error {
	if !st.HasJournal() {
		return fmt.Errorf("%w: %q", board.ErrNoJournal, st.Name)
	}
	return nil
}

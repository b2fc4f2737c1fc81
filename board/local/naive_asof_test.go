package local

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// asOf returns the model as it was after a row, as of now: the history since the last migration, without the rows that have come later and those that are
// reverted, applied again from the beginning. It has a period of a window at least.
func (n *naive) asOf(row uint64, of string, period board.Period) *naive {
	c := n.clone()
	c.history = nil
	for _, r := range n.history {
		if r.Number <= row {
			c.history = append(c.history, r)
		}
	}
	for i, w := range c.windows {
		if w.isRolling() {
			continue
		}
		if w.Name == of && w.periods[period.Name] == nil { // a restart has forgotten it: it has no members any more
			w.periods[period.Name] = &naivePeriod{period, naiveEntries{}}
		}
		for _, p := range w.periods {
			members := map[string]bool{}
			for _, r := range n.history {
				members[r.Member] = true
			}
			for member := range members {
				if err := c.again(i, p, member, 0, time.Time{}); err != nil {
					panic(err)
				}
			}
		}
	}
	return c
}

// canUndo returns the error of AsOf for a period after a row.
func (n *naive) canUndo(w *naiveWindow, p board.Period, row uint64) error {
	if w.closed(p) && w.periods[p.Name] == nil {
		return board.ErrNoPeriod
	}
	for _, r := range slices.Backward(n.journal) {
		if r.Number <= row {
			break
		}
		at, err := w.cal.At(r.At)
		concerns := !r.Removal && err == nil && at.Name == p.Name
		if r.Removal {
			concerns = slices.ContainsFunc(r.removed, func(text string) bool { return strings.HasSuffix(text, " "+p.Name) })
		}
		if concerns && r.Reverted == 0 && r.version != n.version {
			return board.ErrUndo
		}
	}
	return nil
}

// rowAsOf returns the number of the newest row at a moment, and false if the journal does not go back so far.
func (n *naive) rowAsOf(at time.Time) (row uint64, ok bool) {
	for _, r := range slices.Backward(n.journal) {
		if !r.Arrived.After(at) {
			return r.Number, true
		}
	}
	return 0, false
}

// readPast compares rankings as they were at random moments with the naive one of then.
func (s *script) readPast() {
	_, n, b := s.pick()
	w := n.windows[s.rng.IntN(len(n.windows))]
	if n.spec.Journal == 0 {
		_, err := b.AsOf(context.Background(), w.Name, s.clock.Now())
		require.ErrorIs(s.t, err, board.ErrNoJournal)
		return
	}
	if w.isRolling() {
		_, err := b.AsOf(context.Background(), w.Name, s.clock.Now())
		require.ErrorIs(s.t, err, board.ErrUndo)
		return
	}
	if s.rng.IntN(2) == 0 {
		s.readPastTime(n, b, w)
		return
	}
	now, err := w.cal.At(s.clock.Now().Add(-time.Duration(s.rng.IntN(30)) * time.Hour))
	require.NoError(s.t, err)
	first := n.number + 1
	if len(n.journal) > 0 {
		first = n.journal[0].Number
	}
	row := first - 1 + uint64(s.rng.IntN(int(n.number+2-first)))
	if s.rng.IntN(4) == 0 { // some are out of range
		row = max(first, 2) - 2 + uint64(s.rng.IntN(int(n.number+2-first)+3))
	}
	r, err := b.AsOfRow(context.Background(), w.Name, now.Name, row)
	want := n.canUndo(w, now, row)
	switch {
	case want == board.ErrNoPeriod:
	case row > n.number:
		want = board.ErrNotInJournal
	case row+1 < first && want == nil:
		want = board.ErrBeforeJournal
	}
	s.samePast(n, w, now, row, want, r, err)
}

// readPastTime compares the ranking as it was at a random moment.
func (s *script) readPastTime(n *naive, b board.Board, w *naiveWindow) {
	at := s.clock.Now().Add(-time.Duration(s.rng.IntN(600)) * time.Minute)
	if len(n.journal) > 0 && s.rng.IntN(4) > 0 {
		at = n.journal[s.rng.IntN(len(n.journal))].Arrived.Add(time.Duration(s.rng.IntN(3)-1) * time.Nanosecond)
	}
	p, err := w.cal.At(at)
	require.NoError(s.t, err)
	row, ok := n.rowAsOf(at)
	if len(n.journal) == 0 {
		ok = !at.Before(s.clock.Now())
	}
	want := n.canUndo(w, p, row)
	if want == nil && !ok {
		want = board.ErrBeforeJournal
	}
	r, err := b.AsOf(context.Background(), w.Name, at)
	s.samePast(n, w, p, row, want, r, err)
}

// samePast requires that the ranking of a period after a row is that of the naive board.
func (s *script) samePast(n *naive, w *naiveWindow, p board.Period, row uint64, want error, r board.Ranking, err error) {
	s.t.Helper()
	if is := w.periods[p.Name]; w.closed(p) && is != nil && len(is.entries) == 0 && errors.Is(err, board.ErrNoPeriod) {
		return // it had no members when it was closed; one whose members are all reverted since has a record
	}
	if !s.same(want, err) {
		s.counts[fmt.Sprint("past: ", want)]++
		return
	}
	entries := naiveEntries{}
	past := n.asOf(row, w.Name, p)
	for _, x := range past.windows {
		if x.Name == w.Name && x.periods[p.Name] != nil {
			entries = x.periods[p.Name].entries
		}
	}
	rows, err := r.Top(context.Background(), 1000)
	require.NoError(s.t, err)
	best := past.allRows(entries)
	if n.spec.Top != nil {
		best = best[:min(len(best), n.spec.Top.N)]
	}
	require.Equal(s.t, fmt.Sprint(best), fmt.Sprint(rows), "%s of %s after row %d of %d", p.Name, n.spec.Name, row, n.number)
	s.counts["past rows"] += len(rows)
}

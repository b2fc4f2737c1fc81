package local

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// naiveBase is an entry at the last migration.
type naiveBase struct {
	naiveEntry
	kept     []rules.Entry
	results  []naiveResult // of a rolling window
	migrated bool          // its time is in naiveWindow.migrated
}

// rebase begins a new history from the entries as they are.
func (n *naive) rebase() {
	n.history = nil
	for _, w := range n.windows {
		w.base = map[string]naiveBase{}
		for name, p := range w.periods {
			for member, e := range p.entries {
				key := keptKey(name, member)
				_, migrated := w.migrated[key]
				w.base[key] = naiveBase{naiveEntry: e, kept: w.kept[key], migrated: migrated}
				if w.isRolling() {
					w.base[key] = naiveBase{naiveEntry: e, results: slices.Clone(w.results[member])}
				}
			}
		}
	}
}

// naiveLogged is a submission, or the removal of a member, in the naive history of a board.
type naiveLogged struct {
	board.JournalRow
	version int
	arrival uint64
	meta    bool
	changed []bool         // parallel to the windows: the submission has changed the entry
	had     []bool         // likewise: there was one before
	peak    time.Time      // what has left a rolling window by then was gone
	periods []board.Period // of the windows, of a submission
	removed []string       // the windows and periods that a removal has removed the member from: "week 2026-W47"
}

// log adds a submission or a removal to the history of the board, and to its journal if it has one. The history is that since the last migration, the
// journal is the last rows.
func (n *naive) log(row naiveLogged, now time.Time) {
	n.expire(now)
	row.Arrived, row.version, row.arrival, row.peak = now.UTC(), n.version, n.arrivalOf(), n.peak
	n.peak = time.Time{}
	if n.spec.Journal > 0 {
		n.number++
		row.Number = n.number
		n.journal = append(slices.Clip(n.journal), row)
		n.journal = n.journal[min(16, max(0, len(n.journal)-n.spec.Journal)):]
	}
	n.history = append(slices.Clip(n.history), row)
}

// logSubmission adds a submission to the history. next is what decide has returned.
func (n *naive) logSubmission(c *board.Change, sub board.Submission, periods []board.Period, next []*naiveEntry, now time.Time) {
	row := naiveLogged{JournalRow: board.JournalRow{Member: sub.Member, At: time.UnixMicro(sub.At.UnixMicro()).UTC(), Score: sub.Score, Once: sub.Once}, meta: sub.Meta != nil, periods: periods}
	for i, e := range next {
		row.changed, row.had = append(row.changed, e != nil), append(row.had, moveOf(c, i).Ranked)
	}
	n.log(row, now)
}

// resizeJournal does what a migration does to the journal: without one there are no rows.
func (n *naive) resizeJournal() {
	if n.spec.Journal == 0 {
		n.number, n.journal = 0, nil
	}
}

// dumpJournal writes the journal of a board, newest row first.
func dumpJournal(out *bytes.Buffer, b board.Board) error {
	if b.Spec().Journal == 0 {
		return nil
	}
	for row, err := range b.Journal(context.Background(), board.JournalQuery{}) {
		if err != nil {
			return err
		}
		dumpLogged(out, row)
	}
	return nil
}

func dumpLogged(out *bytes.Buffer, row board.JournalRow) {
	what := fmt.Sprintf("%v of %v once=%q", row.Score, row.At, row.Once)
	if row.Removal {
		what = "removed"
	}
	fmt.Fprintf(out, " journal %d: %v %s %s reverted=%d\n", row.Number, row.Arrived, row.Member, what, row.Reverted)
}

// dumpJournal is what the function dumpJournal writes.
func (n *naive) dumpJournal(out *bytes.Buffer) {
	for _, row := range slices.Backward(n.journal) {
		dumpLogged(out, row.JournalRow)
	}
}

// readJournal compares the rows of a random member since a random time with those of the oracle.
func (s *script) readJournal() {
	_, n, b := s.pick()
	q := board.JournalQuery{Member: s.member(), Since: s.clock.Now().Add(-time.Duration(s.rng.IntN(30)) * time.Hour)}
	if n.spec.Journal == 0 {
		for _, err := range b.Journal(context.Background(), q) {
			require.ErrorIs(s.t, err, board.ErrNoJournal)
		}
		return
	}
	var want, got []board.JournalRow
	for _, row := range slices.Backward(n.journal) {
		if row.Member == q.Member && !row.Arrived.Before(q.Since) {
			want = append(want, row.JournalRow)
		}
	}
	for row, err := range b.Journal(context.Background(), q) {
		require.NoError(s.t, err)
		got = append(got, row)
	}
	require.Equal(s.t, fmt.Sprint(want), fmt.Sprint(got))
	s.counts["journal rows"] += len(got)
}

// reverted returns the model after a revert, and the rows that it reverts. It computes every entry of the member again, from its whole history since the
// last migration.
func (n *naive) reverted(member string, selects func(naiveLogged) bool, entry uint64, now time.Time) (c *naive, rows []uint64, err error) {
	c = n.clone()
	touched := map[string]bool{} // windows and periods
	mark := func(list []naiveLogged, marked func(*naiveLogged)) {
		for i := range list {
			row := &list[i]
			if row.Member == member && !row.Removal && row.Reverted == 0 && row.Number > 0 && row.Number >= c.journal[0].Number && selects(*row) {
				row.Reverted = entry
				marked(row)
			}
		}
	}
	mark(c.journal, func(row *naiveLogged) { rows = append(rows, row.Number) })
	mark(c.history, func(row *naiveLogged) {
		for w, p := range row.periods {
			touched[c.windows[w].Name+" "+p.Name] = true
		}
	})
	for i, w := range c.windows {
		for name, p := range w.periods {
			if touched[w.Name+" "+name] {
				if err := c.again(i, p, member, entry, now); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	return c, rows, nil
}

// again computes the entry of a member in a period from its history. entry is the number of the revert.
func (n *naive) again(window int, p *naivePeriod, member string, entry uint64, now time.Time) error {
	w, key := n.windows[window], keptKey(p.Name, member)
	base, had := w.base[key]
	e, meta := base.naiveEntry, p.entries[member].meta
	w.kept[key] = base.kept
	if w.isRolling() {
		w.results[member] = slices.Clone(base.results)
	}
	if base.migrated {
		w.migrated[key] = base.Entry
	}
	wrote := false // the last submission that has set the metadata is reverted
	ranked := had  // after the last row of the member
	for i, row := range n.history {
		if w.isRolling() {
			e, had = n.leave(w, member, e, row.peak)
			wrote = n.before(&n.history[i], window, p.Name, member, ranked, had, wrote)
		}
		switch {
		case row.Member != member:
		case row.Removal:
			if slices.Contains(row.removed, w.Name+" "+p.Name) {
				had, e, wrote = false, naiveEntry{}, false
				delete(w.results, member)
				delete(w.kept, key)
				delete(w.migrated, key)
			}
		case row.periods[window].Name != p.Name:
		case row.Reverted > 0:
			wrote = wrote || row.Reverted == entry && row.meta && row.changed[window]
		default:
			wrote = wrote && !(row.meta && row.changed[window])
			sub := rules.Entry{Score: row.Score, Reached: row.At.UnixMicro(), Arrival: row.arrival}
			next, _, err := n.apply(w, key, e.Entry, had, sub)
			if err != nil {
				return err
			}
			e.Entry, had = next, true
			n.keep(w, key, sub)
			if w.isRolling() {
				n.recordIn(w, member, sub, next)
			}
		}
		ranked = row.Member == member && had || row.Member != member && ranked
	}
	if w.isRolling() {
		n.expire(now)
		e, had = n.leave(w, member, e, n.peak)
	}
	if !had {
		delete(p.entries, member)
		delete(w.kept, key)
		return nil
	}
	if e.meta = meta; wrote {
		e.meta = ""
	}
	p.entries[member] = e
	return nil
}

// before notes whether the member of a row of a rolling window has an entry before it, and returns whether its metadata is gone then: ranked says whether it
// had one after the row before, and gone whether its metadata was gone.
func (n *naive) before(row *naiveLogged, window int, period, member string, ranked, has, gone bool) bool {
	if row.Member != member || row.Removal || row.periods[window].Name != period {
		return gone
	}
	had := row.had[window]
	if row.Reverted == 0 {
		row.had = slices.Clone(row.had)
		row.had[window] = has
	}
	return had && (gone || ranked && !has) // without an entry there was no metadata
}

// revert reverts one submission or several of a random member, which may not be possible.
func (s *script) revert() {
	name, n, b := s.pick()
	member := s.member()
	var spec board.Reversion
	selects := func(row naiveLogged) bool { return !row.Arrived.Before(spec.Since) }
	if s.rng.IntN(3) > 0 && len(n.journal) > 0 {
		row := n.journal[s.rng.IntN(len(n.journal))]
		if spec.Row = row.Number; s.rng.IntN(8) > 0 {
			member = row.Member
		}
		selects = func(row naiveLogged) bool { return row.Number == spec.Row }
	} else if s.rng.IntN(2) == 0 {
		spec.Since = s.clock.Now().Add(-time.Duration(s.rng.IntN(20)) * time.Hour)
	} else {
		spec.Since = s.clock.Now().Add(time.Duration(s.rng.IntN(3)-2) * time.Minute)
	}
	if n.spec.Journal > 0 {
		n.closeDue(s.clock.Now())
	}
	want := n.canRevert(member, spec)
	var after *naive
	var rows []uint64
	if want == nil {
		after, rows, want = n.reverted(member, selects, n.audits+1, s.clock.Now())
	}
	if s.rng.IntN(4) == 0 {
		dry, err := b.Revert(context.Background(), member, spec, board.Action{By: "test", DryRun: true})
		s.same(want, err)
		require.Equal(s.t, rows, dry.Rows)
		require.Zero(s.t, dry.Entry)
		s.check()
	}
	got, err := b.Revert(context.Background(), member, spec, board.Action{By: "test"})
	if !s.same(want, err) {
		s.counts["reverts refused"]++
		return
	}
	require.Equal(s.t, rows, got.Rows)
	s.requirePlaces(n, after, member, got)
	if s.counts["reverts"]++; len(rows) > 0 {
		after.audits++
		require.Equal(s.t, after.audits, got.Entry)
		s.counts["reverted rows"] += len(rows)
		s.counts["reverted places"] += len(got.Places)
	}
	s.boards[name] = after
}

// canRevert returns the error of a revert that the journal does not allow.
func (n *naive) canRevert(member string, spec board.Reversion) error {
	if n.spec.Journal == 0 {
		return board.ErrNoJournal
	}
	found := false
	for _, row := range n.journal {
		of := row.Member == member && !row.Removal
		switch {
		case spec.Row == 0 && of && row.version != n.version && row.Reverted == 0 && !row.Arrived.Before(spec.Since):
			return board.ErrNotInJournal
		case spec.Row != row.Number || !of:
		case row.Reverted > 0:
			return board.ErrReverted
		case row.version != n.version:
			return board.ErrNotInJournal
		default:
			found = true
		}
	}
	dropped := spec.Row == 0 && len(n.journal) > 0 && n.journal[0].Number > 1 && spec.Since.Before(n.journal[0].Arrived)
	if dropped || spec.Row > 0 && !found {
		return board.ErrNotInJournal
	}
	return nil
}

// requirePlaces requires that a revert has told how the places of the member have changed.
func (s *script) requirePlaces(before, after *naive, member string, got board.Reverted) {
	s.t.Helper()
	var want, have []string
	for i, w := range before.windows {
		for name, p := range w.periods {
			was, _ := rowIn(before.rows(p.entries), member)
			is, _ := rowIn(after.rows(after.windows[i].periods[name].entries), member)
			x, y := p.entries[member].Entry, after.windows[i].periods[name].entries[member].Entry
			if before.spec.Top != nil || before.isInParts() { // such a board stores no arrivals
				x.Arrival, y.Arrival = 0, 0
			}
			if was.Rank != is.Rank && was.Rank*is.Rank == 0 || x != y {
				want = append(want, fmt.Sprintln(w.Name, name, before.capRank(was), was.Score, before.capRank(is), is.Score))
			}
		}
	}
	for _, p := range got.Places {
		have = append(have, fmt.Sprintln(p.Window, p.Period, p.Rank, p.Score, p.NewRank, p.NewScore))
	}
	require.ElementsMatch(s.t, want, have)
}

// capRank returns the rank of a row in a Place: n + 1 beyond the best n.
func (n *naive) capRank(row board.Row) int {
	if row.Beyond {
		return n.spec.Top.N + 1
	}
	return row.Rank
}

// withJournal gives some boards a journal, as far as that is possible.
func (s *script) withJournal(spec board.Spec) board.Spec {
	logged := spec
	logged.Journal = []int{0, 1, 5, 40, 200}[s.rng.IntN(5)]
	if logged.Validate() != nil {
		return spec
	}
	return logged
}

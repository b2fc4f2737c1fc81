package local

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// remove removes a random member.
func (s *script) remove() {
	_, n, b := s.pick()
	member := s.member()
	want, now := map[string]board.Row{}, s.clock.Now()
	var removed []string
	for _, w := range n.windows {
		for name, p := range w.periods {
			if row, ok := rowIn(n.rows(p.entries), member); ok && w.takes(p.Period, now) {
				want[w.Name+" "+name] = row
				removed = append(removed, w.Name+" "+name)
				delete(p.entries, member)
				delete(w.results, member)
				delete(w.kept, keptKey(name, member))
				delete(w.migrated, keptKey(name, member))
			}
		}
	}
	if len(removed) > 0 {
		n.log(naiveLogged{JournalRow: board.JournalRow{Member: member, At: now.UTC(), Removal: true}, removed: removed}, now)
	}
	same := func(removed []board.Removed, err error) {
		require.NoError(s.t, err)
		got := map[string]board.Row{}
		for _, r := range removed {
			key := r.Window + " " + r.Period
			got[key] = s.fit(n, want[key], r.Row)
		}
		require.Equal(s.t, want, got)
		require.Len(s.t, removed, len(want))
	}
	if s.rng.IntN(4) == 0 { // in a transaction that is cancelled
		_, err := s.removeIn(b, member, errChanged, same)
		require.ErrorIs(s.t, err, errChanged)
	}
	if s.rng.IntN(2) == 0 {
		same(s.removeIn(b, member, nil, same))
	} else {
		same(b.Remove(context.Background(), member))
	}
	s.counts["remove"]++
}

// removeIn removes a member in a transaction that ends with an error, which may be nil. It calls same with what the removal has returned.
func (s *script) removeIn(b board.Board, member string, end error, same func([]board.Removed, error)) (removed []board.Removed, err error) {
	keys, err := hintsOf(b).Remove(context.Background(), nil, member)
	require.NoError(s.t, err)
	if s.counts["remove"]%2 == 0 {
		keys = nil
	}
	err = s.e.Update(context.Background(), func(tx *engine.Tx) (err error) {
		if removed, err = in(b, tx).Remove(member); err != nil {
			return err
		}
		same(removed, nil)
		return end
	}, keys...)
	return removed, err
}

// setMeta sets the metadata of a random member in a random window.
func (s *script) setMeta() {
	ctx := context.Background()
	_, n, b := s.pick()
	w, member, meta := n.windows[s.rng.IntN(len(n.windows))], string(rune('a'+s.rng.IntN(12))), strings.Repeat("x", s.rng.IntN(3))
	p, err := w.cal.At(s.clock.Now())
	require.NoError(s.t, err)
	var entries naiveEntries
	if w.periods[p.Name] != nil {
		entries = w.periods[p.Name].entries
	}
	e, ranked := entries[member]
	switch {
	case !w.takes(p, s.clock.Now()):
		err = board.ErrPeriodClosed
	case !ranked:
		err = board.ErrNotRanked
	default:
		entries[member] = naiveEntry{e.Entry, meta}
	}
	if s.rng.IntN(2) == 0 {
		s.same(err, b.SetMeta(ctx, w.Name, member, []byte(meta)))
	} else {
		keys, bad := hintsOf(b).ReadOf(ctx, nil, member, w.Name)
		require.NoError(s.t, bad)
		s.same(err, s.e.Update(ctx, func(tx *engine.Tx) error { return in(b, tx).SetMeta(w.Name, member, []byte(meta)) }, keys...))
	}
	s.counts["meta"]++
}

// move moves the clock, sometimes back, and sometimes closes the periods that are due.
func (s *script) move() {
	steps := []time.Duration{time.Minute, 20 * time.Minute, time.Hour, 5 * time.Hour, 26 * time.Hour, 80 * time.Hour, -10 * time.Minute, -3 * time.Hour, -30 * time.Hour}
	for _, n := range s.boards { // what has left a rolling window by a clock that was ahead, a revert brings back until then
		if n.spec.Journal > 0 && slices.ContainsFunc(n.windows, (*naiveWindow).isRolling) {
			steps = steps[:6]
			break
		}
	}
	s.jump(steps[s.rng.IntN(len(steps))])
	if s.oneCommit || s.rng.IntN(2) == 0 {
		s.due()
	}
	s.counts["jumps"]++
}

// due calls CloseDue.
func (s *script) due() {
	want := 0
	for _, n := range s.boards {
		want += n.closeDue(s.clock.Now())
	}
	s.closeDue(want)
	s.counts["closed"] += want
}

// closeNow closes the live period of a random window.
func (s *script) closeNow() {
	_, n, b := s.pick()
	w := n.windows[s.rng.IntN(len(n.windows))]
	p, err := w.cal.At(s.clock.Now())
	require.NoError(s.t, err)
	if p.End.IsZero() {
		err = board.ErrNoEnd
	} else if !w.closed(p) {
		s.counts["by hand"]++
		w.closeThrough(p.End)
	}
	info, bad := b.CloseNow(context.Background(), w.Name)
	if s.same(err, bad) {
		require.True(s.t, info.Closed)
		require.Equal(s.t, p.Name, info.Period)
	}
}

// baseline saves or drops a baseline of a random window.
func (s *script) baseline() {
	_, n, b := s.pick()
	w, name := n.windows[s.rng.IntN(len(n.windows))], string(rune('x'+s.rng.IntN(2)))
	if s.rng.IntN(4) == 0 {
		delete(w.bases, name)
		require.NoError(s.t, b.DropBaseline(context.Background(), w.Name, name))
		return
	}
	p, err := w.cal.At(s.clock.Now())
	require.NoError(s.t, err)
	if delete(w.bases, name); w.periods[p.Name] != nil && len(w.periods[p.Name].entries) > 0 {
		w.bases[name] = naiveEntries{}
		entries := w.periods[p.Name].entries
		for _, row := range n.ranked(n.rows(entries)) {
			w.bases[name][row.Member] = entries[row.Member]
		}
	}
	require.NoError(s.t, b.SaveBaseline(context.Background(), w.Name, name))
	s.counts["baselines"]++
}

// respec migrates a random board to a random spec, or drops and defines it.
func (s *script) respec() {
	name, n, _ := s.pick()
	if s.rng.IntN(6) == 0 {
		require.NoError(s.t, s.bs.Drop(context.Background(), name))
		spec := s.spec(name)
		s.define(spec)
		s.boards[name] = newNaive(spec)
		s.counts["drops"]++
		return
	}
	spec := s.spec(name)
	if s.rng.IntN(4) == 0 {
		spec = s.withJournal(n.spec)
	}
	s.respecTo(n, spec)
}

// respecTo gives a board another spec, as far as that is possible.
func (s *script) respecTo(n *naive, spec board.Spec) {
	if spec.Differences(n.spec) == nil {
		return
	}
	if spec.K > 0 || n.spec.K > 0 { // kept results stay as they are
		spec.Columns, spec.Op, spec.K, spec.Ties, spec.Top = n.spec.Columns, n.spec.Op, n.spec.K, n.spec.Ties, n.spec.Top
		if spec.Validate() != nil || spec.Differences(n.spec) == nil {
			return
		}
	}
	isRolling := func(w board.Window) bool { return w.Kind == window.Rolling }
	if n.spec.Journal > 0 && spec.Journal == 0 && slices.ContainsFunc(n.spec.Windows, isRolling) && slices.ContainsFunc(spec.Windows, isRolling) {
		spec.Journal = 1
		if spec.Differences(n.spec) == nil {
			return
		}
	}
	n.migrate(spec)
	s.game.migrate(spec)
	if s.oneCommit {
		s.due()
	}
	s.counts["migrations"]++
}

// restart reopens the boards or the engine, or cuts the power.
func (s *script) restart() {
	clear(s.kept)
	how := s.rng.IntN(3)
	switch {
	case how == 0 || s.mem == nil:
		s.reopenBoards()
		s.counts["boards reopened"]++
	case how == 1:
		s.reopen()
		s.counts["engine reopened"]++
	default:
		s.powerCut(s.rng.IntN(3)*50, s.rng.Uint64())
		s.counts["power cuts"]++
	}
	for _, n := range s.boards {
		n.forget()
		n.closeDue(s.clock.Now())
	}
}

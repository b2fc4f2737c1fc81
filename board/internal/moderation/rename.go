package moderation

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Rename gives a member another name: see Board.Rename.
func Rename(ctx context.Context, b *catalog.Board, member, to string, a board.Action) (board.Moderated, error) {
	return moveAll(ctx, b, audit.Rename, member, to, a)
}

// Merge adds the results of one member to those of another: see Board.Merge.
func Merge(ctx context.Context, b *catalog.Board, from, into string, a board.Action) (board.Moderated, error) {
	return moveAll(ctx, b, audit.Merge, from, into, a)
}

// moveAll moves what the board has of a member to another one.
func moveAll(ctx context.Context, b *catalog.Board, kind audit.Kind, member, to string, a board.Action) (board.Moderated, error) {
	c, err := newChange(b, kind, member, a)
	if err != nil {
		return board.Moderated{}, err
	}
	switch {
	case to == "" || len(to) > board.MaxMember:
		return board.Moderated{}, board.ErrMember
	case to == member:
		return board.Moderated{}, fmt.Errorf("%w: the two members are the same one: %q", board.ErrAction, member)
	}
	c.to = to
	m := &mover{c}
	return c.orAgain(ctx, board.ErrExists, func() (j *job, err error) {
		err = b.Retry(func(st *state.State) (err error) {
			if err := c.ready(ctx, st); err != nil {
				return err
			}
			if err := leagues.Settle(ctx, b, st); err != nil { // by the names that members have in the rankings
				return err
			}
			j, err = m.begin(ctx, st)
			return err
		})
		return j, err
	})
}

// mover is a change that moves what a board has of a member.
type mover struct{ *change }

// begin moves the entries of open periods in the first commit. Error: errDry in a dry run.
func (m *mover) begin(ctx context.Context, st *state.State) (*job, error) {
	j, err := m.moveOpen(ctx, st)
	if err == nil || err == errDry {
		return j, err
	}
	return nil, place.Unblock(ctx, err, m.b, st, st.OpenPeriods, unblocked)
}

// moveOpen runs the transaction of the first commit. No period is closed meanwhile.
func (m *mover) moveOpen(ctx context.Context, st *state.State) (j *job, err error) {
	defer m.b.LockClosing()()
	if !leagues.AreSettled(st) {
		return nil, state.ErrAgain
	}
	var list []*moving
	var keys []string
	named := map[*state.Slot]bool{}
	for t, slot := range st.OpenPeriods {
		x := newMoving(place.Of(m.b, st, t, slot, m.member), m.to, nil)
		named[slot], list, keys = true, append(list, x), x.appendKeys(keys)
	}
	if st.HasJournal() {
		keys = append(keys, st.JournalKey)
	}
	err = m.b.Owner().Update(ctx, keys, func(tx *engine.Tx) error {
		if err := m.check(tx, st, named); err != nil {
			return err
		}
		var open []board.Place
		for _, x := range list {
			p, ok, err := m.moveOne(tx, st, x)
			if err != nil {
				return err
			}
			if ok {
				open = append(open, p)
			}
		}
		if err := m.moveCohorts(tx, st); err != nil {
			return err
		}
		e := auditlog.New(m.kind, m.member, m.Action)
		e.To = m.to
		if j, err = m.change.begin(tx, st, e, open, nil); err != nil {
			return err
		}
		j.To = []byte(m.to)
		if j.Rows, err = journal.Newest(tx, st); err != nil {
			return err
		}
		return m.put(tx, st, j)
	})
	return j, err
}

// moveOne moves the entry of one open period, and writes the events of others.
func (m *mover) moveOne(tx *engine.Tx, st *state.State, x *moving) (p board.Place, ok bool, err error) {
	if !events.Has(st) {
		return x.move(tx)
	}
	set, err := tx.IntSet(x.at.Slot.Key, st.Form)
	if err != nil {
		return p, false, err
	}
	w := m.b.Events(tx, st)
	before := w.Top(x.at.T, set)
	if p, ok, err = x.move(tx); err != nil || !ok {
		return p, ok, err
	}
	moved := &events.Move{T: x.at.T, Period: x.at.Slot.Name, Member: m.to, Before: p.Rank - 1, After: p.NewRank - 1}
	if m.kind == audit.Rename { // one member, which may have another place among its equals
		return p, true, w.Moved(moved, set)
	}
	if moved.Before = x.between - 1; moved.Before < 0 { // it has no entry, and takes over that of the first
		moved.Before = moved.After
	}
	if err := w.Passed(moved, set); err != nil {
		return p, false, err
	}
	return p, true, w.Merged(x.at.T, x.at.Slot.Name, before, set)
}

// moveCohorts moves the member's places in the cohorts of open periods, and its tiers.
func (m *mover) moveCohorts(tx *engine.Tx, st *state.State) error {
	from, to, merge := []byte(m.member), []byte(m.to), m.kind == audit.Merge
	if err := leagues.Move(tx, leagues.OpenKeys(st), from, to, merge); err != nil {
		return err
	}
	return leagues.MoveTiers(tx, leagues.TierKeys(st), from, to, merge)
}

// check returns an error unless the members can be moved now.
func (m *mover) check(tx *engine.Tx, st *state.State, named map[*state.Slot]bool) error {
	if err := m.b.CheckWritable(st); err != nil {
		return err
	}
	for t, slot := range st.OpenPeriods {
		if !named[slot] || !t.Accepts(slot, tx.Now()) {
			return state.ErrAgain
		}
	}
	for _, member := range []string{m.member, m.to} {
		if m.b.Bans.Has(member) {
			return fmt.Errorf("%w: %q of %q", board.ErrBanned, member, st.Name)
		}
	}
	for _, member := range []string{m.member, m.to} {
		if m.b.Hides.Has(member) {
			return fmt.Errorf("%w: %q of %q: show it first", board.ErrHidden, member, st.Name)
		}
	}
	if err := checkIdle(tx, st.Name, m.member, m.to); err != nil {
		return err
	}
	if m.kind != audit.Rename {
		return nil
	}
	return m.checkUnused(tx, st, named)
}

// checkUnused returns ErrExists if the board has places of the new name, and ErrAgain if it has got an open period whose keys the transaction has not named.
func (m *mover) checkUnused(tx *engine.Tx, st *state.State, named map[*state.Slot]bool) error {
	used, err := places.HasAny(m.b.Owner(), tx, st, m.to)
	if err != nil {
		return err
	}
	for t, slot := range st.OpenPeriods {
		if !named[slot] { // a submission has opened it since check
			return state.ErrAgain
		}
		at := place.Of(m.b, st, t, slot, m.to)
		if err := at.Open(tx); err != nil {
			return err
		}
		_, _, ok := at.Get()
		used = used || ok
	}
	if used {
		return fmt.Errorf("%w: %q of %q: use Merge to add the results of %q to them", board.ErrExists, m.to, st.Name, m.member)
	}
	return nil
}

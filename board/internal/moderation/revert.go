package moderation

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Revert reverts submissions of a member: see Board.Revert.
func Revert(ctx context.Context, b *catalog.Board, member string, spec board.Reversion, a board.Action) (res board.Reverted, err error) {
	if err := b.Env().CheckNotInTx(); err != nil {
		return res, err
	}
	if member == "" {
		return res, board.ErrMember
	}
	if err := a.Validate(audit.Revert); err != nil {
		return res, err
	}
	err = b.Retry(func(st *state.State) error {
		if err := noJournal(st); err != nil {
			return err
		}
		if err := closing.CloseBoard(ctx, b); err != nil { // so that every period is closed or accepts results
			return err
		}
		if err := closing.CloseBehind(ctx, b); err != nil {
			return err
		}
		if err := places.All(ctx, b, st); err != nil {
			return err
		}
		err := b.Engine().View(ctx, func(tx *engine.Tx) error { return checkStays(tx, st.Name, member) })
		if err != nil {
			return err // the rows of a member that is being renamed have both names
		}
		f, err := find(ctx, b, st, member, spec)
		if err != nil || len(f.numbers) == 0 {
			return err
		}
		c := &call{b: b, st: st, member: member, spec: spec, Action: a, found: f}
		res, err = c.run(ctx)
		return err
	})
	if err != nil {
		return board.Reverted{}, err
	}
	return res, nil
}

// call is a revert under one state of the board.
type call struct {
	board.Action
	b      *catalog.Board
	st     *state.State
	member string
	spec   board.Reversion
	found  found
	hidden bool // the member was hidden before the transaction
	spots  []*spot
	res    board.Reverted
}

// run runs the transaction, and makes the steps that it has made due.
func (c *call) run(ctx context.Context) (board.Reverted, error) {
	switch err := c.update(ctx); {
	case err == errDry:
	case err != nil:
		return board.Reverted{}, c.unblock(ctx, err)
	}
	for _, s := range c.spots {
		s.committed(ctx)
	}
	return c.res, nil
}

// update runs the transaction. No period is closed or dropped meanwhile, and the records of closed ones do not change.
func (c *call) update(ctx context.Context) error {
	defer lockClosed(c.b)()
	all, err := c.found.spots(c.b, c.st, c.member)
	if err != nil {
		return err
	}
	keys := []string{c.st.JournalKey}
	c.hidden = c.b.Hides.Has(c.member)
	for _, s := range all {
		s.beside = c.hidden
		if s.T.IsClosed(s.Slot) {
			if s.record = s.T.RecordOf(s.Slot.Name); s.record == nil {
				continue // nobody was ranked, or it is not kept any more
			}
			if !s.record.Indexed {
				return state.ErrAgain
			}
			s.beside = c.hidden || s.record.Hidden > 0
		}
		c.spots = append(c.spots, s)
		s.Closed = s.record != nil
		keys = s.appendKeys(keys)
	}
	if err := c.b.Owner().Update(ctx, keys, c.apply); err != nil {
		return err
	}
	for _, s := range c.spots {
		if s.next != nil {
			s.T.ReplaceRecord(s.next)
			c.b.Env().WakeClosed()
		}
	}
	return nil
}

// apply makes the changes in the transaction.
func (c *call) apply(tx *engine.Tx) error {
	c.res = board.Reverted{}
	if err := c.b.CheckWritable(c.st); err != nil {
		return err
	}
	if is, changes := c.b.Hides.Of([]byte(c.member)); changes || is != c.hidden {
		return state.ErrMoved
	}
	if err := checkStays(tx, c.st.Name, c.member); err != nil {
		return err
	}
	log, err := journal.Open(tx, c.st)
	if err != nil {
		return err
	}
	rows, err := c.found.read(log, c.member)
	if err != nil {
		return err
	}
	p, err := c.replay(tx, rows)
	if err != nil {
		return err
	}
	changed := make([]bool, len(rows)) // parallel to rows: the row is to be stored again
	for i := range rows {
		reverts := selects(c.spec, &rows[i])
		if reverts {
			if !c.found.times[rows[i].At] { // it has come since, and may be in other periods
				return state.ErrAgain
			}
			c.res.Rows = append(c.res.Rows, rows[i].Number)
		}
		if changed[i], err = p.row(i, reverts); err != nil {
			return err
		}
		changed[i] = changed[i] || reverts
	}
	if err := c.storeEntries(tx); err != nil {
		return err
	}
	return c.storeRows(tx, log, rows, changed)
}

// replay returns a replay of rows that has not begun. A revert makes no set: those of open periods have the member, and the periods are noted as open. Error:
// ErrAgain if the time of one is up.
func (c *call) replay(tx *engine.Tx, rows []journal.Row) (*replay, error) {
	p := &replay{st: c.st, member: c.member, rows: rows, byName: map[string]*spot{}}
	for _, s := range c.spots {
		if err := s.open(tx, c.hidden); err != nil {
			return nil, err
		}
		if s.record == nil && !s.T.Accepts(s.Slot, tx.Now()) {
			if _, _, ok := s.Get(); ok {
				return nil, state.ErrAgain
			}
			continue // a period without members is not closed, and the member has no entry to change
		}
		p.spots = append(p.spots, s)
		for i, t := range c.st.Timelines {
			if t == s.T {
				p.byName[spotName(i, s.Slot.Name)] = s
			}
		}
	}
	return p, nil
}

// storeEntries stores the member's new entries.
func (c *call) storeEntries(tx *engine.Tx) error {
	for _, s := range c.spots {
		if !s.begun {
			continue
		}
		place, changed, err := s.store(tx)
		if err != nil {
			return err
		}
		if changed {
			c.res.Places = append(c.res.Places, place)
		}
	}
	return nil
}

// storeRows writes the entry of the audit log, and marks the rows. A dry run ends here.
func (c *call) storeRows(tx *engine.Tx, log journal.Log, rows []journal.Row, changed []bool) (err error) {
	if c.DryRun {
		return errDry
	}
	e := auditlog.New(audit.Revert, c.member, c.Action)
	e.Rows, e.Done = c.res.Rows, true
	if c.res.Entry, err = auditlog.Add(tx, c.st.Name, e, c.res.Places); err != nil {
		return err
	}
	w := c.b.Events(tx, c.st)
	if err := w.Audited(&e, c.res.Entry); err != nil {
		return err
	}
	for i := range rows {
		if !changed[i] {
			continue
		}
		if selects(c.spec, &rows[i]) {
			rows[i].Reverted = c.res.Entry
		}
		if err := log.Replace(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// unblock makes a call begin again after what its transaction has found in its way. If the transaction may have been committed all the same, it reads the
// records of closed periods again.
func (c *call) unblock(ctx context.Context, err error) error {
	if errors.Is(err, engine.ErrStalled) || errors.Is(err, engine.ErrPersistence) {
		for _, s := range c.spots {
			if s.record != nil {
				reload(c.b, s.T, s.Slot.Name)
			}
		}
		return err
	}
	return place.Unblock(ctx, err, c.b, c.st, func(yield func(*state.Timeline, *state.Slot) bool) {
		for _, s := range c.spots {
			if !yield(s.T, s.Slot) {
				return
			}
		}
	}, 1)
}

package revert

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/following"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/engine"
)

// errDry rolls back the transaction of a dry run.
var errDry = errors.New("dry run")

// Check returns an error if the transaction of a revert is not possible now, because of another change of the member.
type Check func(tx *engine.Tx, boardName, member string) error

// Revert reverts submissions of a member: see Board.Revert.
func Revert(ctx context.Context, b *catalog.Board, member string, spec board.Reversion, a board.Action, check Check) (res board.Reverted, err error) {
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
		if err := places.All(ctx, b, st); err != nil {
			return err
		}
		f, err := find(ctx, b, st, member, spec)
		if err != nil || len(f.numbers) == 0 {
			return err
		}
		c := &call{b: b, st: st, member: member, spec: spec, Action: a, found: f, check: check}
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
	check  Check
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
		s.committed(ctx, c.b, c.st)
	}
	return c.res, nil
}

// update runs the transaction. No period is closed or dropped meanwhile, and the records of closed ones do not change.
func (c *call) update(ctx context.Context) error {
	defer c.b.LockClosing()()
	all, err := c.found.spots(c.st)
	if err != nil {
		return err
	}
	for _, t := range c.st.Timelines {
		defer t.BeginModeration()()
	}
	keys := []string{c.st.JournalKey}
	c.hidden = c.b.Hides.Has(c.member)
	for _, s := range all {
		s.beside = c.hidden
		if s.t.IsClosed(s.slot) {
			if s.record = s.t.RecordOf(s.slot.Name); s.record == nil {
				continue // nobody was ranked, or it is not kept any more
			}
			if !s.record.Indexed {
				return errs.ErrAgain
			}
			s.beside = c.hidden || s.record.Hidden > 0
		}
		c.spots = append(c.spots, s)
		keys = following.AppendKeys(s.appendKeys(keys, []byte(c.member)), c.b, s.t, s.slot, []byte(c.member))
	}
	if err := c.b.Owner().Update(ctx, keys, c.apply); err != nil {
		return err
	}
	for _, s := range c.spots {
		if s.next != nil {
			s.t.ReplaceRecord(s.next)
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
		return errs.ErrMoved
	}
	if err := c.check(tx, c.st.Name, c.member); err != nil {
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
	p, err := c.replay(tx)
	if err != nil {
		return err
	}
	changed := make([]bool, len(rows)) // parallel to rows: the row is to be stored again
	for i := range rows {
		reverts := selects(c.spec, &rows[i])
		if reverts {
			if !c.found.times[rows[i].At] { // it has come since, and may be in other periods
				return errs.ErrAgain
			}
			c.res.Rows = append(c.res.Rows, rows[i].Number)
		}
		if changed[i], err = p.row(&rows[i], reverts); err != nil {
			return err
		}
		changed[i] = changed[i] || reverts
	}
	if err := c.storeEntries(tx); err != nil {
		return err
	}
	return c.storeRows(tx, log, rows, changed)
}

// replay returns a replay that has no rows yet. A revert makes no set: those of open periods have the member, and the periods are noted as open. Error:
// ErrAgain if the time of one is up.
func (c *call) replay(tx *engine.Tx) (*replay, error) {
	p := &replay{st: c.st, member: c.member, byName: map[string]*spot{}}
	for _, s := range c.spots {
		if err := s.open(tx, c.b, c.st, c.hidden); err != nil {
			return nil, err
		}
		if s.record == nil && !s.t.Accepts(s.slot, tx.Now()) {
			if _, _, ok := s.at.Get(); ok {
				return nil, errs.ErrAgain
			}
			continue // a period without members is not closed, and the member has no entry to change
		}
		p.spots = append(p.spots, s)
		for i, t := range c.st.Timelines {
			if t == s.t {
				p.byName[spotName(i, s.slot.Name)] = s
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
		place, changed, err := s.store(tx, c.b.Owner(), c.st, []byte(c.member))
		if err != nil {
			return err
		}
		if !changed {
			continue
		}
		c.res.Places = append(c.res.Places, place)
		if s.record == nil && s.hidden && !s.had {
			if err := following.Forget(tx, c.b, s.t, s.slot, []byte(c.member)); err != nil {
				return err
			}
		}
		if s.record != nil || s.hidden {
			continue
		}
		w, m := c.b.Events(tx, c.st), events.Move{T: s.t, Period: s.slot.Name, Member: c.member, Before: place.Rank - 1, After: place.NewRank - 1}
		if err := w.Moved(&m, s.at.Set()); err != nil {
			return err
		}
		change := following.Change{Member: []byte(c.member), Had: place.Rank > 0, Before: place.Score, Has: s.had, After: s.entry.Score, Reached: tx.Now().UnixMicro()}
		if err := following.Apply(tx, c.b, s.t, s.slot, change); err != nil {
			return err
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
			if s.next != nil && c.isStored(s) {
				s.t.ReplaceRecord(s.next)
			}
		}
		return err
	}
	if err != tail.ErrShort && err != errs.ErrMoved {
		return err
	}
	for _, s := range c.spots {
		if !tail.Has(s.t) {
			continue
		}
		if err == errs.ErrMoved {
			s.slot.Tail.WaitForSteps()
			continue
		}
		if err := tail.Refill(ctx, c.b, c.st, s.t, s.slot, 1); err != nil && err != errs.ErrAgain {
			return fmt.Errorf("board: making room for a revert: %w", err)
		}
	}
	return errs.ErrAgain
}

// isStored reports whether the new record of a closed period has been committed.
func (c *call) isStored(s *spot) bool {
	text, err := s.next.Encode()
	return err == nil && c.b.Env().HasStored(boardkey.Record(s.t.Board, s.t.Window.Name, s.next.Period), text)
}

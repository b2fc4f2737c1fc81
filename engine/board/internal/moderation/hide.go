package moderation

import (
	"context"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/places"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/internal/submit"
)

// Hide hides a member: see Board.Hide.
func Hide(ctx context.Context, b *catalog.Board, member string, a auditlog.Action) (Result, error) {
	return move(ctx, b, auditlog.Hide, member, a)
}

// Show ends the hiding of a member: see Board.Show.
func Show(ctx context.Context, b *catalog.Board, member string, a auditlog.Action) (Result, error) {
	return move(ctx, b, auditlog.Show, member, a)
}

// move hides or shows a member.
func move(ctx context.Context, b *catalog.Board, kind auditlog.Kind, member string, a auditlog.Action) (r Result, err error) {
	c, err := newChange(b, kind, member, a)
	if err != nil {
		return r, err
	}
	if a.DryRun {
		return c.previewMove(ctx)
	}
	var j *job
	err = b.Retry(func(st *state.State) error {
		if err := c.readyToMove(ctx, st); err != nil {
			return err
		}
		j, err = c.moveOpen(st)
		return err
	})
	if err != nil {
		return r, err
	}
	b.Env().WakeClosed() // should this goroutine not finish it
	return c.finish(ctx, j)
}

// editor returns what changes the closed periods.
func (c *change) editor() *editor {
	if c.kind == auditlog.Hide {
		return &hider
	}
	return &shower
}

// readyToMove is ready of a call that hides or shows the member. Errors: ErrHidden, ErrNotHidden, those of ready.
func (c *change) readyToMove(ctx context.Context, st *state.State) error {
	if err := c.b.Hides.Check(c.member, c.kind == auditlog.Hide); err != nil {
		return err
	}
	return c.ready(ctx, st)
}

// moveOpen moves the member's entries in open periods, and stores with them that it is hidden, or not any more, the entry of the audit log, and a job for the
// closed periods. Submissions of the member wait meanwhile.
func (c *change) moveOpen(st *state.State) (j *job, err error) {
	hide, key := c.kind == auditlog.Hide, boardkey.Hide(st.Name, c.member)
	end, err := c.b.Hides.Begin(c.member, hide)
	if err != nil {
		return nil, err
	}
	err = submit.MoveAnd(c.b, st, c.member, hide, func(tx *engine.Tx, moved []submit.Moved) error {
		if j, err = c.begin(tx, st, auditlog.New(c.kind, c.member, c.Action), movedPlaces(moved, hide), c.editor()); err != nil {
			return err
		}
		if hide {
			err = tx.Put(key, []byte{})
		} else {
			err = tx.Delete(key)
		}
		if err != nil {
			return err
		}
		return j.put(tx, st.Name)
	})
	end(err == nil || unknown(err) && c.isStored(err, key) == hide)
	return j, err
}

// previewMove returns what a call that hides or shows the member would do. It runs the transaction for the open periods, and rolls it back.
func (c *change) previewMove(ctx context.Context) (r Result, err error) {
	hide := c.kind == auditlog.Hide
	err = c.b.Retry(func(st *state.State) error {
		if err := c.readyToMove(ctx, st); err != nil {
			return err
		}
		r = Result{}
		err := submit.MoveAnd(c.b, st, c.member, hide, func(_ *engine.Tx, moved []submit.Moved) error {
			r.Places = movedPlaces(moved, hide)
			return errDry
		})
		if err != errDry {
			return err
		}
		closed, err := places.Of(c.b, st, c.member)
		if err != nil {
			return err
		}
		for _, f := range c.editor().choose(closed) {
			place, err := c.closedPlace(st, &f)
			if err != nil {
				return err
			}
			r.Places = append(r.Places, place)
		}
		return nil
	})
	return r, err
}

// closedPlace returns a place in a closed period that a call that hides or shows the member would change.
func (c *change) closedPlace(st *state.State, f *places.Found) (auditlog.Place, error) {
	if !f.Hidden {
		return hiddenPlace(st, f), nil
	}
	place, err := f.WouldBe(c.b, st, c.member)
	return shownPlace(st, f, place), err
}

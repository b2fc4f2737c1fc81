package moderation

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/submit"
	"github.com/zrankdb/zrank/engine"
)

// Hide hides a member: see Board.Hide.
func Hide(ctx context.Context, b *catalog.Board, member string, a board.Action) (board.Moderated, error) {
	return move(ctx, b, audit.Hide, member, a)
}

// Show ends the hiding of a member: see Board.Show.
func Show(ctx context.Context, b *catalog.Board, member string, a board.Action) (board.Moderated, error) {
	return move(ctx, b, audit.Show, member, a)
}

// move hides or shows a member.
func move(ctx context.Context, b *catalog.Board, kind audit.Kind, member string, a board.Action) (r board.Moderated, err error) {
	c, err := newChange(b, kind, member, a)
	if err != nil {
		return r, err
	}
	already := board.ErrHidden
	if kind == audit.Show {
		already = board.ErrNotHidden
	}
	return c.orAgain(ctx, already, func() (j *job, err error) {
		err = b.Retry(func(st *state.State) error {
			if err := c.readyToMove(ctx, st); err != nil {
				return err
			}
			j, err = c.moveOpen(ctx, st)
			return err
		})
		return j, err
	})
}

// editor returns what changes the closed periods.
func (c *change) editor() *editor {
	if c.kind == audit.Hide {
		return &hider
	}
	return &shower
}

// readyToMove is ready of a call that hides or shows the member. Errors: ErrHidden, ErrNotHidden, those of ready.
func (c *change) readyToMove(ctx context.Context, st *state.State) error {
	if err := c.b.Hides.Check(c.member, c.kind == audit.Hide); err != nil {
		return err
	}
	return c.ready(ctx, st)
}

// moveOpen moves the member's entries in open periods, and stores with them that it is hidden, or not any more, the entry of the audit log, and a job for the
// closed periods. Submissions of the member wait meanwhile.
func (c *change) moveOpen(ctx context.Context, st *state.State) (j *job, err error) {
	hide, key := c.kind == audit.Hide, boardkey.Hide(st.Name, c.member)
	end, err := c.b.Hides.Begin(c.member, hide)
	if err != nil {
		return nil, err
	}
	err = submit.MoveAnd(ctx, c.b, st, c.member, hide, func(tx *engine.Tx, moved []submit.Moved) error {
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
		return c.put(tx, st, j)
	})
	end(err == nil || unknown(err) && c.isStored(err, key) == hide)
	return j, err
}

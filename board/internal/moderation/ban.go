package moderation

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Ban bans a member: see Board.Ban.
func Ban(ctx context.Context, b *catalog.Board, member string, a board.Action) (board.Moderated, error) {
	c, err := newChange(b, audit.Ban, member, a)
	if err != nil {
		return board.Moderated{}, err
	}
	return c.orAgain(ctx, board.ErrBanned, func() (*job, error) { return c.ban(ctx) })
}

// ban commits the ban, and returns the job that is left.
func (c *change) ban(ctx context.Context) (*job, error) {
	defer c.b.Bans.Decide()()
	end, err := c.b.Bans.Begin(c.member)
	if err != nil {
		return nil, err
	}
	j, err := c.remove(ctx, func(tx *engine.Tx, st *state.State, j *job) error {
		return tx.Put(boardkey.Ban(st.Name, c.member), []byte{})
	})
	end(err == nil || c.isStored(err, boardkey.Ban(c.b.State().Name, c.member)))
	return j, err
}

// isStored reports whether a commit that returned an error has put a private key.
func (c *change) isStored(err error, key string) bool {
	if !unknown(err) {
		return false
	}
	has := false
	_ = c.b.Engine().View(context.Background(), func(tx *engine.Tx) (err error) {
		_, has, err = tx.Get(key)
		return err
	})
	return has
}

// Unban ends the ban of a member: see Board.Unban.
func Unban(ctx context.Context, b *catalog.Board, member string, a board.Action) (board.Moderated, error) {
	c, err := newChange(b, audit.Unban, member, a)
	if err != nil {
		return board.Moderated{}, err
	}
	defer b.Bans.Decide()()
	var r board.Moderated
	err = b.Retry(func(st *state.State) (err error) {
		if !b.Bans.Has(member) {
			e, err := c.newest(ctx)
			if err == nil {
				err = fmt.Errorf("%w: %q of %q", board.ErrNotBanned, member, st.Name)
			}
			r.Entry = e.Number // of an Unban before
			return err
		}
		if a.DryRun {
			return nil
		}
		r.Entry, err = c.unban(ctx, st)
		return err
	})
	return r, err
}

// unban commits the end of a ban, and returns the number of its entry in the audit log.
func (c *change) unban(ctx context.Context, st *state.State) (entry uint64, err error) {
	err = c.b.Owner().Update(ctx, nil, func(tx *engine.Tx) (err error) {
		if err := c.b.CheckWritable(st); err != nil {
			return err
		}
		hash, err := auditlog.Hash(tx, c.member)
		if err != nil {
			return err
		}
		if err := tx.Delete(boardkey.Ban(st.Name, c.member)); err != nil {
			return err
		}
		if err := tx.Delete(boardkey.ErasedBan(st.Name, hash)); err != nil {
			return err
		}
		e := auditlog.New(c.kind, c.member, c.Action)
		e.Done = true
		entry, err = c.log(tx, st, e, nil)
		return err
	})
	if err == nil || unknown(err) && !c.isStored(err, boardkey.Ban(st.Name, c.member)) {
		c.b.Bans.Set(c.member, false)
	}
	return entry, err
}

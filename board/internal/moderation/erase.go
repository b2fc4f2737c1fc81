package moderation

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Erase erases a member: see Board.Erase.
func Erase(ctx context.Context, b *catalog.Board, member string, a board.Action) (board.Moderated, error) {
	c, err := newChange(b, audit.Erase, member, a)
	if err != nil {
		return board.Moderated{}, err
	}
	return c.perform(ctx, func() (j *job, err error) {
		err = b.Retry(func(*state.State) error {
			j, err = c.erase(ctx)
			return err
		})
		return j, err
	})
}

// erase makes the first commit of an erasure, and returns the job that is left. Error: ErrAgain if it is being decided whether the member is hidden.
func (c *change) erase(ctx context.Context) (*job, error) {
	defer c.b.Bans.Decide()()
	banned := c.b.Bans.Has(c.member)
	end, err := c.beginShow()
	if err != nil {
		return nil, err
	}
	var salt []byte
	j, err := c.remove(ctx, func(tx *engine.Tx, st *state.State, j *job) (err error) {
		if err := tx.Delete(boardkey.Hide(st.Name, c.member)); err != nil {
			return err
		}
		if err := (&run{b: c.b, j: j, dry: c.dry}).eraseOpenCohorts(tx, st); err != nil {
			return err
		}
		if err := (&run{b: c.b, j: j, dry: c.dry}).eraseBest(tx, st); err != nil || !banned {
			return err
		}
		salt, err = eraseBan(tx, st, c.member)
		return err
	})
	end(err == nil || unknown(err) && !c.isStored(err, boardkey.Hide(c.b.State().Name, c.member)))
	if err == nil && banned {
		c.b.Bans.Erase(c.member, salt)
	}
	return j, err
}

// beginShow makes a hidden member one that is being shown: what erases it ends its hiding. end says whether the transaction has committed.
func (c *change) beginShow() (end func(committed bool), err error) {
	if !c.b.Hides.Has(c.member) {
		return func(bool) {}, nil
	}
	return c.b.Hides.Begin(c.member, false)
}

// eraseBest removes the best ranks of the member, in the first commit.
func (r *run) eraseBest(tx *engine.Tx, st *state.State) error {
	for _, t := range st.Timelines {
		set, err := tx.IntSet(t.BestKey, engine.Form{})
		if err != nil {
			return err
		}
		had, err := set.Remove(r.j.Member)
		if err == nil && had {
			err = r.trace(tx, st, "best rank", t.Window.Name, 1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eraseBan keeps the ban of a member by the salted hash of its name, and returns the salt.
func eraseBan(tx *engine.Tx, st *state.State, member string) (salt []byte, err error) {
	hash, err := auditlog.Hash(tx, member)
	if err != nil {
		return nil, err
	}
	if err := tx.Delete(boardkey.Ban(st.Name, member)); err != nil {
		return nil, err
	}
	if err := tx.Put(boardkey.ErasedBan(st.Name, hash), []byte{}); err != nil {
		return nil, err
	}
	salt, _, err = tx.Get(boardkey.AuditSalt)
	return salt, err
}

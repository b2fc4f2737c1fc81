package settlement

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// AppendClaimKeys appends the key of the set that a claim changes: see Hints.Claim.
func AppendClaimKeys(b *catalog.Board, dst []string, text string) ([]string, error) {
	w, _, err := lookup(b, text)
	if err != nil {
		return dst, err
	}
	return append(dst, w.s.Key), nil
}

// Claim claims an award: see Board.Claim.
func Claim(ctx context.Context, b *catalog.Board, member, text string) (a awards.Award, err error) {
	if err := b.Env().CheckNotInTx(); err != nil {
		return a, err
	}
	keys, err := AppendClaimKeys(b, nil, text)
	if err != nil {
		return a, err
	}
	err = b.Engine().Update(ctx, func(tx *engine.Tx) error {
		a, err = ClaimIn(b, tx, member, text)
		return err
	}, keys...)
	switch {
	case err == nil:
		return a, nil
	case errors.Is(err, engine.ErrClosed):
		err = state.ErrEngineClosed
	case errors.Is(err, engine.ErrUndecided):
		err = fmt.Errorf("%w: %w", board.ErrUndecided, err)
	}
	return awards.Award{}, err
}

// ClaimIn claims an award in the caller's transaction: see InTx.Claim.
func ClaimIn(b *catalog.Board, tx *engine.Tx, member, text string) (a awards.Award, err error) {
	w, i, err := lookup(b, text)
	if err != nil {
		return a, err
	}
	err = b.Owner().In(tx, func() (err error) {
		s := w.s.Now()
		set, err := tx.IntSet(w.s.Key, s.Form())
		if err != nil {
			return err
		}
		if s = w.s.Now(); !s.Settled { // read again: the set is locked by now
			return fmt.Errorf("%w: %s of %q, window %s", awards.ErrSettling, i.period, i.board, i.window)
		}
		n, err := w.names(tx, set.IntView)
		if err != nil {
			return err
		}
		if n.member(i.name) != member {
			return fmt.Errorf("%w: %s, and %q asks for it", awards.ErrNotYours, text, member)
		}
		e, ok := entryOf(set.IntView, member)
		if !ok {
			return fmt.Errorf("%w: %s", awards.ErrNoAward, text)
		}
		if a, err = w.claimable(&n, s, member, e, tx.Now().UnixMicro()); err != nil {
			return err
		}
		if err := putGranted(tx, set, i.board, w.s, s, member, e); err != nil {
			return err
		}
		if err := noteAward(b, tx, feed.Claimed, &a); err != nil {
			return err
		}
		return addWaiting(b, tx, w.s, -1)
	})
	b.Env().Idle.NoteRead(b.Engine().Now(), w.s.Key)
	if err != nil {
		return awards.Award{}, err
	}
	a.State = awards.Granted
	return a, nil
}

// noteAward writes the event that an award was granted or claimed.
func noteAward(b *catalog.Board, tx *engine.Tx, k feed.Kind, a *awards.Award) error {
	return events.Note(b.Owner(), tx, b.State(), &feed.Event{Kind: k, Window: a.Window, Period: a.Period, Member: a.Member, Rank: a.Rank, Award: a.ID})
}

// claimable returns the award of a member if it can be claimed now.
func (w work) claimable(n *names, s *state.Settling, member string, e entry, now int64) (awards.Award, error) {
	a := w.award(n, s, member, e, now)
	switch {
	case !s.Plan.Claim:
		return a, fmt.Errorf("%w: %s is delivered, not claimed", awards.ErrNoAward, a.ID)
	case a.State == awards.Expired:
		return a, fmt.Errorf("%w: %s, at %s", awards.ErrExpired, a.ID, a.Expires.UTC().Format("2006-01-02T15:04:05Z"))
	case a.State != awards.Waiting:
		return a, notWaiting(e, s, a.ID)
	}
	return a, nil
}

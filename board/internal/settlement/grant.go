package settlement

import (
	"context"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// grantAll grants the awards of members: all in one transaction, and if that fails, each in one of its own.
func (w work) grantAll(ctx context.Context, d Delivery, members []string, n *Delivered) error {
	err := w.grant(ctx, d, members, n)
	if err == nil || err == state.ErrAgain || isStop(err) || ctx.Err() != nil {
		return err
	}
	for i := range members {
		if err := w.grantOne(ctx, d, members[i], n); err != nil {
			return err
		}
	}
	return nil
}

// grantOne grants the award of a member, and stores if it fails. Errors: those that no other award would do without.
func (w work) grantOne(ctx context.Context, d Delivery, member string, n *Delivered) error {
	err := w.grant(ctx, d, []string{member}, n)
	if err == nil || err == state.ErrAgain || isStop(err) || ctx.Err() != nil {
		return err
	}
	n.Failed++
	w.b.Log().Warn("board: award not delivered", "board", w.b.State().Name, "window", w.s.Window, "period", w.s.Period, "member", member, "err", err)
	return w.fail(ctx, member, err)
}

// pending is an award that is about to be granted, and its entry.
type pending struct {
	awards.Award
	entry entry
}

// grant grants the awards of members in one transaction, those of them that wait. The caller holds Working, so that nobody else changes them.
func (w work) grant(ctx context.Context, d Delivery, members []string, n *Delivered) error {
	list, err := w.pending(ctx, members)
	if err != nil || len(list) == 0 {
		return err
	}
	keys := []string{w.s.Key}
	for i := range list {
		if keys, err = d.keys(keys, list[i].Award); err != nil {
			return err
		}
	}
	if err := w.grantIn(ctx, d, keys, list); err != nil {
		w.reload(ctx, err)
		return err
	}
	for i := range list {
		w.s.DropRetry(list[i].Member)
	}
	n.Granted += len(list)
	return nil
}

// pending returns the awards of members that wait, with the scores of the members.
func (w work) pending(ctx context.Context, members []string) (list []pending, err error) {
	s, now := w.s.Now(), w.b.Engine().Now().UnixMicro()
	err = w.b.Engine().View(ctx, func(tx *engine.Tx) error {
		set, err := tx.IntSet(w.s.Key, s.Form())
		if err != nil {
			return err
		}
		n, err := w.names(tx, set.IntView)
		if err != nil {
			return err
		}
		list = list[:0]
		for _, member := range members {
			if e, ok := entryOf(set.IntView, member); ok && e.waits(s) {
				list = append(list, pending{w.award(&n, s, member, e, now), e})
			}
		}
		return nil
	}, w.s.Key)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list, w.score(ctx, len(list), func(i int) *awards.Award { return &list[i].Award })
}

// grantIn grants awards in a transaction that names keys.
func (w work) grantIn(ctx context.Context, d Delivery, keys []string, list []pending) error {
	b, st, s := w.b, w.b.State(), w.s.Now()
	whole := context.WithoutCancel(ctx) // what is granted is known to be
	return b.Engine().Update(whole, func(tx *engine.Tx) error {
		if err := b.CheckWritable(st); err != nil {
			return err
		}
		set, err := tx.IntSet(w.s.Key, s.Form())
		if err != nil {
			return err
		}
		// First, so that the private keys of the board are locked before those of the program: after them the transaction
		// might have to restart, and call Grant again.
		if err := b.Owner().In(tx, func() error { return addWaiting(b, tx, w.s, -len(list)) }); err != nil {
			return err
		}
		for i := range list {
			a := &list[i]
			if e, ok := entryOf(set.IntView, a.Member); !ok || e != a.entry { // the board has been dropped meanwhile
				return state.ErrAgain
			}
			if err := d.grant(ctx, tx, a.Award); err != nil {
				return err
			}
			if err := b.Owner().In(tx, func() error { return putGranted(tx, set, st.Name, w.s, s, a.Member, a.entry) }); err != nil {
				return err
			}
			if err := noteAward(b, tx, feed.Granted, &a.Award); err != nil {
				return err
			}
		}
		return nil
	}, keys...)
}

package settlement

import (
	"context"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
)

// grantAll grants the awards of members: all in one transaction, and if that fails, each in one of its own.
func (w work) grantAll(ctx context.Context, d Delivery, members []string, n *Delivered) error {
	err := w.grant(ctx, d, members, n)
	if err == nil || err == errs.ErrAgain || isStop(err) || ctx.Err() != nil {
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
	if err == nil || err == errs.ErrAgain || isStop(err) || ctx.Err() != nil {
		return err
	}
	n.Failed++
	w.b.Log().Warn("board: award not delivered", "board", w.b.State().Name, "window", w.s.Window, "period", w.s.Period, "member", member, "err", err)
	return w.fail(member, err)
}

// grant grants the awards of members in one transaction, those of them that wait.
func (w work) grant(ctx context.Context, d Delivery, members []string, n *Delivered) error {
	b, st := w.b, w.b.State()
	s := w.s.Now()
	keys := []string{w.s.Key}
	granted := 0
	given := make([]bool, len(members))
	now := b.Engine().Now().UnixMicro()
	err := b.Engine().View(keys, func(tx *engine.Tx) error { return w.appendKeys(tx, d, &keys, members, now) })
	if err != nil {
		return err
	}
	err = b.Engine().Update(keys, func(tx *engine.Tx) error {
		if err := b.CheckWritable(st); err != nil {
			return err
		}
		set, err := tx.IntSet(w.s.Key, s.Form())
		if err != nil {
			return err
		}
		for i, member := range members {
			e, ok := entryOf(set.IntView, member)
			if !ok || !e.waits(s) {
				continue
			}
			if err := d.grant(ctx, tx, awardOf(st.Name, w.s, s, member, e, now)); err != nil {
				return err
			}
			if err := b.Owner().In(tx, func() error { return putGranted(tx, set, st.Name, w.s, s, member, e) }); err != nil {
				return err
			}
			given[i] = true
			granted++
		}
		if granted == 0 {
			return nil
		}
		return b.Owner().In(tx, func() error { return addWaiting(b, tx, w.s, -granted) })
	})
	if err != nil {
		w.reload(err)
		return err
	}
	for i, member := range members {
		if given[i] {
			w.s.DropRetry(member)
		}
	}
	n.Granted += granted
	return nil
}

// appendKeys appends the keys of the sets that Grant uses for the awards of members.
func (w work) appendKeys(tx *engine.Tx, d Delivery, keys *[]string, members []string, now int64) error {
	if d.Keys == nil {
		return nil
	}
	s := w.s.Now()
	set, err := tx.IntSet(w.s.Key, s.Form())
	if err != nil {
		return err
	}
	for _, member := range members {
		e, ok := entryOf(set.IntView, member)
		if !ok {
			continue
		}
		if *keys, err = d.keys(*keys, awardOf(w.b.State().Name, w.s, s, member, e, now)); err != nil {
			return err
		}
	}
	return nil
}

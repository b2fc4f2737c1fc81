package groups

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/engine"
)

// Dissolve removes a group, and then what is stored of its members: see board.Groups.Dissolve.
func (k *Kind) Dissolve(ctx context.Context, group string) error {
	var g *catalog.Group
	if err := k.Update(ctx, k.dissolve(group, &g)); err != nil {
		return err
	}
	return k.forget(ctx, g)
}

// dissolve removes the group and its entries in open periods, and says which one it was.
func (k *Kind) dissolve(group string, was **catalog.Group) Change {
	return Change{k.prepare, func(tx *engine.Tx) error {
		if err := k.lockGroup(tx, group); err != nil {
			return err
		}
		g, err := k.g.Group(tx, group)
		if err != nil {
			return err
		}
		*was = g
		return k.dissolveIn(tx, g)
	}}
}

// dissolveIn removes a group in a transaction that has its lock.
func (k *Kind) dissolveIn(tx *engine.Tx, g *catalog.Group) error {
	if err := tx.Delete(boardkey.Group(k.g.Name, g.Name)); err != nil {
		return err
	}
	c := k.g.Begin(k.c.Owner, tx)
	if err := c.Enter(); err != nil {
		return err
	}
	for _, member := range c.Dissolve(g) {
		if err := tx.Delete(boardkey.Joined(k.g.Name, member)); err != nil {
			return err
		}
	}
	sources := k.sources()
	err := k.c.Lock(tx, func() (keys []string, err error) {
		for i := range sources {
			keys = sources[i].AppendKeys(keys, g)
		}
		return keys, nil
	})
	if err != nil {
		return err
	}
	now := k.g.Moment(tx.Now())
	if err := k.rememberGroup(tx, g, now); err != nil {
		return err
	}
	setMoment(sources, now)
	for i := range sources {
		if err := sources[i].Dissolve(tx, g); err != nil {
			return err
		}
	}
	return nil
}

// forgetStep is the number of members of a dissolved group whose keys are deleted by one commit.
const forgetStep = 64

// forget deletes what is stored of the members of a group that is gone. Nobody waits for the disk: what a crash leaves goes when the boards are opened again.
func (k *Kind) forget(ctx context.Context, g *catalog.Group) error {
	for last := ""; ; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		begin := time.Now()
		names := k.g.AppendMembers(nil, nil, g, last, forgetStep)
		if len(names) == 0 {
			break
		}
		if err := k.c.Owner.UpdateLater(ctx, nil, func(tx *engine.Tx) error { return k.forgetSome(tx, g, names) }); err != nil {
			return err
		}
		last = names[len(names)-1]
		_ = catalog.Rest(ctx, begin) // the next step finds that ctx has ended
	}
	k.g.Forget(g)
	return nil
}

// ForgetGone does what transactions of callers have left of dissolved groups. Errors: that of ctx, those of the engine.
func ForgetGone(ctx context.Context, c *catalog.Catalog) error {
	for _, g := range c.Kinds() {
		k := &Kind{c, g}
		for gone := g.Gone(); gone != nil; gone = g.Gone() {
			if err := k.forget(ctx, gone); err != nil {
				g.ForgetLater(gone)
				return err
			}
		}
	}
	return nil
}

// forgetSome deletes what is stored of some members of a group that is gone, unless they have joined another one since. It reads a key only if it must: from the first
// one on the transaction has the lock of the kind's private keys, and then memory knows.
func (k *Kind) forgetSome(tx *engine.Tx, g *catalog.Group, names []string) error {
	for i, name := range names {
		key := boardkey.Joined(k.g.Name, name)
		had, known := k.g.Had(g, name)
		if i == 0 || !known {
			stored, _, err := tx.Get(key)
			if err != nil {
				return err
			}
			number, err := catalog.DecodeJoined(stored)
			had = err == nil && number == g.Number
		}
		if !had {
			continue
		}
		if err := k.rememberGone(tx, name, g.Number); err != nil {
			return err
		}
		if err := tx.Delete(key); err != nil {
			return err
		}
	}
	return nil
}

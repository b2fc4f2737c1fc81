package groups

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/following"
	"github.com/zrankdb/zrank/board/internal/membership"
	"github.com/zrankdb/zrank/engine"
)

// Dissolve removes a group: see board.Groups.Dissolve.
func (k *Kind) Dissolve(ctx context.Context, group string) error {
	if err := k.c.CheckNotInTx(); err != nil {
		return err
	}
	g, err := k.dissolve(ctx, group)
	if err != nil {
		return err
	}
	return k.forget(ctx, g)
}

// dissolve removes the group and its entries in open periods by one commit.
func (k *Kind) dissolve(ctx context.Context, group string) (*membership.Group, error) {
	defer k.g.Enter()()
	k.g.Deciding.Lock()
	defer k.g.Deciding.Unlock()
	g, err := k.g.Kind.Group(group)
	if err != nil {
		return nil, err
	}
	end := k.g.Dissolving(g)
	sources := func() (all []following.Source) {
		for _, b := range k.g.Boards() {
			all = append(all, following.Sources(b)...)
		}
		return all
	}
	key := boardkey.Group(k.g.Name, group)
	err = k.update(ctx, sources, func(tx *engine.Tx, all []following.Source) error {
		for i := range all {
			if err := all[i].Dissolve(tx, g); err != nil {
				return err
			}
		}
		return tx.Delete(key)
	})
	committed := err == nil
	if unknown(err) {
		stored, readErr := k.c.Stored(key)
		committed = readErr == nil && stored == nil
	}
	end(committed)
	return g, err
}

// forgetStep is the number of members of a dissolved group whose keys are deleted by one commit.
const forgetStep = 64

// forget deletes what is stored of the members of a group that is gone. Nobody waits for the disk: what a crash leaves goes when the boards are opened again.
func (k *Kind) forget(ctx context.Context, g *membership.Group) error {
	for last := ""; ; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		begin := time.Now()
		names := k.g.AppendMembers(nil, g, last, forgetStep)
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

// forgetSome deletes what is stored of some members of a group that is gone, unless they have joined another one since. It reads a key only if it must: from the first
// one on the transaction has the lock of the private keys, and then memory knows.
func (k *Kind) forgetSome(tx *engine.Tx, g *membership.Group, names []string) error {
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
		if err := tx.Delete(key); err != nil {
			return err
		}
	}
	return nil
}

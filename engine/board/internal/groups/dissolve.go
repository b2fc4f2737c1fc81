package groups

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/following"
	"github.com/zrankdb/zrank/engine/board/internal/membership"
)

// Dissolve removes a group: see board.Groups.Dissolve.
func (k *Kind) Dissolve(ctx context.Context, group string) error {
	if err := k.c.CheckNotInTx(); err != nil {
		return err
	}
	g, err := k.dissolve(group)
	if err != nil {
		return err
	}
	return k.forget(ctx, g)
}

// dissolve removes the group and its entries in open periods by one commit.
func (k *Kind) dissolve(group string) (*membership.Group, error) {
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
	err = k.update(sources, func(tx *engine.Tx, all []following.Source) error {
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
const forgetStep = 256

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
		err := k.c.Owner.UpdateLater(nil, func(tx *engine.Tx) error {
			for _, name := range names {
				key := boardkey.Joined(k.g.Name, name)
				stored, _, err := tx.Get(key)
				if err != nil {
					return err
				}
				if number, err := catalog.DecodeJoined(stored); err != nil || number != g.Number {
					continue // it has joined another group since
				}
				if err := tx.Delete(key); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		last = names[len(names)-1]
		_ = catalog.Rest(ctx, begin) // the next step finds that ctx has ended
	}
	k.g.Forget(g)
	return nil
}

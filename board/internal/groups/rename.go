package groups

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/following"
	"github.com/zrankdb/zrank/board/internal/membership"
	"github.com/zrankdb/zrank/engine"
)

// Rename gives a member's place in its group to another one: see board.Groups.Rename.
func (k *Kind) Rename(ctx context.Context, member, to string) error {
	if err := k.c.CheckNotInTx(); err != nil {
		return err
	}
	for {
		k.g.Wait([]byte(member))
		g := k.g.Noted([]byte(member))
		switch {
		case g == nil:
			return k.notInGroup(member)
		case member == to:
			return k.inGroup(to, g)
		}
		if err := k.rename(ctx, member, to, g); !errors.Is(err, errs.ErrAgain) {
			return err
		}
	}
}

// rename is Rename of a member of a group. Error: ErrAgain if the member is in another group by now.
func (k *Kind) rename(ctx context.Context, member, to string, g *membership.Group) error {
	steps, from := []step{{member: member}, {to, g.Name}}, 0
	if to < member { // two calls wait for each other's members in one order
		steps[0], steps[1], from = steps[1], steps[0], 1
	}
	check := func(s step, was *membership.Group) error {
		if s.member == to {
			return k.mayJoin(s, was)
		}
		if was != g {
			return errs.ErrAgain
		}
		return nil
	}
	err := k.move(ctx, steps, check, func(tx *engine.Tx, changes []*membership.Change, all []following.Source) error {
		each, together := len(all)/2, following.Together(changes)
		of, other := all[from*each:(from+1)*each], all[(1-from)*each:(2-from)*each]
		for i := range of {
			if err := of[i].Rename(tx, &other[i], g, together); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, board.ErrNoGroup) { // the group has been dissolved meanwhile
		err = errs.ErrAgain
	}
	return err
}

package moderation

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/places"
	"github.com/zrankdb/zrank/engine/board/internal/settlement"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/internal/submit"
)

// errDry rolls back the transaction of a dry run.
var errDry = errors.New("dry run")

// preview returns what the removal of a member would do. It runs the transaction for the open periods, and rolls it back.
func (c *change) preview(ctx context.Context) (r Result, err error) {
	err = c.b.Retry(func(st *state.State) error {
		if err := c.ready(ctx, st); err != nil {
			return err
		}
		r = Result{}
		_, err := submit.RemoveAnd(c.b, st, c.member, nil, func(_ *engine.Tx, removed []submit.Removed) error {
			r.Places = removedPlaces(removed)
			return errDry
		})
		if err != errDry {
			return err
		}
		closed, err := places.Of(c.b, st, c.member)
		if err != nil {
			return err
		}
		for i := range closed {
			place := placeOf
			if c.KeepRanks {
				place = keptPlace
			}
			r.Places = append(r.Places, place(st, &closed[i]))
		}
		return nil
	})
	if err == nil {
		r.Awards, err = settlement.CountOf(c.b, c.member)
	}
	return r, err
}

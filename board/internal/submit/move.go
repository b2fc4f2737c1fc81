package submit

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Moved is an entry that has left a ranking because its member was hidden, or has come back into
// it.
type Moved struct {
	Window, Period string
	Row            board.Row // with its ordinal rank in the ranking, from 1, and without metadata
}

// MoveAnd hides a member in every period that accepts results, or shows it there. also is called at
// the end of the transaction with the entries; no period is closed meanwhile, and MoveAnd returns
// ErrAgain if the time of an open one is up. In rolling windows results of a hidden member leave as
// those of others do. Errors: ErrAgain, those of also and of the engine.
func MoveAnd(ctx context.Context, b *catalog.Board, st *state.State, member string, hide bool,
	also func(*engine.Tx, []Moved) error) error {
	move := (*place.Place).Hide
	if !hide {
		move = (*place.Place).Show
	}
	all, err := changeAll(ctx, b, st, member, true, func(tx *engine.Tx, all []place.Place) error {
		var moved []Moved
		for i := range all {
			p := &all[i]
			row, ok, err := move(p, tx)
			if err != nil {
				return err
			}
			if ok {
				moved = append(moved, Moved{p.T.Window.Name, p.Slot.Name, row})
			}
		}
		return also(tx, moved)
	})
	if err != nil {
		return place.Unblock(ctx, err, b, st, place.PeriodsOf(all), 1)
	}
	maintain(context.WithoutCancel(ctx), all) // it is committed
	return nil
}

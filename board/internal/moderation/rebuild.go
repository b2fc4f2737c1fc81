package moderation

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/internal/groups"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// RebuildPeriod computes the scores of the groups of a closed period again: see Board.RebuildPeriod.
func RebuildPeriod(ctx context.Context, b *catalog.Board, window, period string) (corrected int, err error) {
	if err := b.Env().CheckNotInTx(); err != nil {
		return 0, err
	}
	if b.Following() == nil {
		return 0, fmt.Errorf("%w: %q", board.ErrNotDerived, b.State().Name)
	}
	for {
		err := b.Retry(func(st *state.State) error {
			if err := closing.CloseBehind(ctx, b); err != nil {
				return err
			}
			return places.All(ctx, b, st)
		})
		if err == nil {
			corrected, err = rebuild(ctx, b, window, period)
			err = place.Unblock(ctx, err, b, b.State(), closedPeriod(b.State(), window, period), 1)
		}
		if err != state.ErrAgain {
			return corrected, err
		}
	}
}

// closedPeriod iterates over the one period with a name.
func closedPeriod(st *state.State, window, period string) place.Periods {
	return func(yield func(*state.Timeline, *state.Slot) bool) {
		if t, err := st.Timeline(window); err == nil {
			if p, err := t.Cal.Parse(period); err == nil {
				yield(t, t.SlotOf(p))
			}
		}
	}
}

// rebuild is RebuildPeriod under one state of the board and of that which it follows. No member of a group joins or leaves meanwhile. Error: ErrAgain if the state is another one by
// now, or the period is not indexed.
func rebuild(ctx context.Context, b *catalog.Board, window, period string) (corrected int, err error) {
	defer b.Following().Groups.Hold()()
	defer b.Following().Source.HoldState()()
	unlock, err := b.LockModeration(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	st, err := b.Writable()
	if err != nil {
		return 0, err
	}
	t, err := st.Timeline(window)
	if err != nil {
		return 0, err
	}
	defer lockClosed(b)()
	r, err := t.ClosedRecord(period, "Rebuild corrects it")
	if err != nil {
		return 0, err
	}
	if !r.Indexed {
		return 0, state.ErrAgain
	}
	p, err := t.Cal.Parse(period)
	if err != nil {
		return 0, err
	}
	x, err := groups.ClosedSource(b, st, t, t.SlotOf(p))
	if err != nil {
		return 0, err
	}
	err = b.Owner().Update(ctx, x.Keys(), func(tx *engine.Tx) (err error) {
		if err := b.CheckWritable(st); err != nil {
			return err
		}
		corrected, err = x.Recompute(tx)
		return err
	})
	if unknown(err) {
		reload(b, t, period)
	}
	b.Env().Idle.NoteRead(b.Engine().Now(), t.SetKeys(period)...)
	return corrected, err
}

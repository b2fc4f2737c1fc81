package settlement

import (
	"context"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
)

// Resettle settles a period again: see Board.Resettle.
func Resettle(ctx context.Context, b *catalog.Board, window, period string, r awards.Resettlement) (c awards.Difference, err error) {
	err = b.Retry(func(st *state.State) error {
		c, err = resettle(ctx, b, window, period, r)
		return err
	})
	return c, err
}

func resettle(ctx context.Context, b *catalog.Board, window, period string, r awards.Resettlement) (c awards.Difference, err error) {
	w, err := settlementOf(b, window, period)
	if err != nil {
		return c, err
	}
	release, ok := b.TryHoldState()
	if !ok {
		return c, state.ErrAgain
	}
	defer release()
	w.s.Working.Lock()
	defer w.s.Working.Unlock()
	if w.s.Dropped {
		return c, state.ErrAgain // settlementOf does not find it any more
	}
	if !w.s.Now().Settled {
		if err := w.make(ctx); err != nil { // a crash has interrupted it
			return c, err
		}
	}
	next, err := w.s.Now().Next(r.Plan, r.Without, shortened(r.Reason))
	if err != nil {
		return c, fmt.Errorf("%w: %s of %q, window %s", err, period, b.State().Name, window)
	}
	if c, err = w.correction(ctx, next); err != nil || r.DryRun {
		return c, err
	}
	if err := w.put(ctx, []string{w.s.Key}, next, -1, nil); err != nil { // waits for claims, and stops them
		return c, err
	}
	if err := w.make(ctx); err != nil {
		return c, err
	}
	b.Env().WakeAwards()
	return c, nil
}

// correction returns what the next state of a settlement changes.
func (w work) correction(ctx context.Context, next *state.Settling) (c awards.Difference, err error) {
	now := w.s.Now()
	old, err := catalog.CopySets(ctx, w.b.Owner(), []string{w.s.Key}, now.Form())
	if err != nil {
		return c, err
	}
	win, err := newWinners(ctx, w.b, w.s, next, old)
	if err != nil {
		return c, err
	}
	err = win.walk(ctx, func(member string, was, is entry) error {
		if was.due == is.due && was.toGrant(now) == is.toGrant(next) && was.tooMuch(now) == is.tooMuch(next) {
			return nil
		}
		x := awards.Change{Member: member, Was: tiersOf(next, was.due), Is: tiersOf(next, is.due), Granted: tiersOf(next, is.granted),
			ToGrant: tiersOf(next, is.toGrant(next)), TooMuch: tiersOf(next, is.tooMuch(next))}
		if x.Is != nil {
			x.Rank = int(is.rank)
		}
		if is.due&^was.due != 0 {
			c.Gained++
		}
		if was.due&^is.due != 0 {
			c.Lost++
		}
		if x.TooMuch != nil {
			c.TooMuch++
		}
		c.Changes = append(c.Changes, x)
		return nil
	})
	slices.SortStableFunc(c.Changes, func(a, b awards.Change) int { return rankOrLast(a) - rankOrLast(b) })
	return c, err
}

func rankOrLast(c awards.Change) int {
	if c.Rank == 0 {
		return awards.MaxRank
	}
	return c.Rank
}

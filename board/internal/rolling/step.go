package rolling

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// IsDue reports whether results have left the ranking of a window by the engine's clock and are still in it. A caller that has the ranking
// locked, for reading too, and gets false, sees it as it is at that moment. It returns false for a window that is not rolling. O(1).
func IsDue(b *catalog.Board, t *state.Timeline) bool {
	return t.Roll != nil && b.Engine().Now().UnixMicro() >= t.Roll.Next()
}

// Settle makes steps until nothing is due in a window. While the board is being migrated it waits, and then returns ErrMigrating. O(1) if
// nothing is due. Errors: engine.ErrInTx, those of Board.CheckReadable and of the engine.
func Settle(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline) error {
	for IsDue(b, t) {
		if err := b.Env().CheckNotInTx(); err != nil { // another step may wait for the closure
			return err
		}
		if err := Step(ctx, b, st, t); err != nil && err != state.ErrAgain {
			return err
		} else if err != nil {
			if _, err := b.Writable(); err != nil {
				return err
			}
		}
	}
	return nil
}

// SettleAll is Settle for every window of a board.
func SettleAll(ctx context.Context, b *catalog.Board, st *state.State) error {
	for _, t := range st.Timelines {
		if err := Settle(ctx, b, st, t); err != nil {
			return err
		}
	}
	return nil
}

// Step makes one step in a rolling window, unless nothing is due. Errors: ErrAgain while the board is being migrated, and as Settle.
func Step(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline) error {
	t.Roll.Step.Lock()
	defer t.Roll.Step.Unlock()
	if !IsDue(b, t) {
		return nil
	}
	if t.Roll.Next() == math.MinInt64 { // after Open: this reads the timers only
		if err := findFirst(ctx, b, t); err != nil || !IsDue(b, t) {
			return err
		}
	}
	var d Due
	err := b.Owner().UpdateLater(ctx, AppendKeys([]string{Key(t)}, t), func(tx *engine.Tx) (err error) {
		d, err = stepIn(tx, b, st, t)
		return err
	})
	if err == nil {
		d.Raise()
	}
	return err
}

// findFirst finds out when the first result leaves.
func findFirst(ctx context.Context, b *catalog.Board, t *state.Timeline) error {
	var d Due
	err := b.Engine().View(ctx, func(tx *engine.Tx) error {
		timers, err := tx.IntSet(t.Roll.Timers, timersForm)
		if err == nil {
			s := Sets{t: t, timers: timers}
			d = s.begin()
		}
		return err
	}, t.Roll.Timers)
	if err == nil {
		d.Raise()
	}
	return err
}

// stepIn is a step in its transaction.
func stepIn(tx *engine.Tx, b *catalog.Board, st *state.State, t *state.Timeline) (Due, error) {
	if b.IsFrozen() {
		return Due{}, state.ErrAgain
	}
	if err := b.CheckReadable(st); err != nil {
		return Due{}, err
	}
	entries, err := tx.IntSet(Key(t), st.Form)
	if err != nil {
		return Due{}, err
	}
	s, err := Open(tx, st, t, entries)
	if err != nil {
		return Due{}, err
	}
	d, _, err := s.Expire(StepSize)
	return d, err
}

// ExpireDue makes steps in all rolling windows until nothing is due. It leaves out boards that are being migrated. Errors: those of the engine,
// joined.
func ExpireDue(ctx context.Context, c *catalog.Catalog) error {
	var failures []error
	for _, b := range c.All() {
		st := b.State()
		for _, t := range st.Timelines {
			var err error
			for err == nil && IsDue(b, t) && !c.IsStopped() {
				err = Step(ctx, b, st, t)
			}
			if err != nil && err != state.ErrAgain && !errors.Is(err, board.ErrNoBoard) && !errors.Is(err, board.ErrMigrating) {
				failures = append(failures, err)
			}
		}
	}
	return errors.Join(failures...)
}

// NextDue returns a time, in microseconds after 1970, before which no result leaves. O(windows).
func NextDue(c *catalog.Catalog) int64 {
	next := int64(math.MaxInt64)
	for _, b := range c.All() {
		for _, t := range b.State().Timelines {
			if t.Roll != nil {
				next = min(next, t.Roll.Next())
			}
		}
	}
	return next
}

// NextChange returns when the first of a member's results leaves a window: see Board.NextChange.
func NextChange(ctx context.Context, b *catalog.Board, window, member string) (at time.Time, ok bool, err error) {
	st, t, err := b.Timeline(window)
	if err != nil || t.Roll == nil {
		return time.Time{}, false, err
	}
	for again := true; again && err == nil; {
		again = false
		err = b.Engine().View(ctx, func(tx *engine.Tx) error {
			timers, err := tx.IntSet(t.Roll.Timers, timersForm)
			if again = IsDue(b, t); err != nil || again {
				return err
			}
			var leaves int64
			leaves, ok = timers.Score([]byte(member))
			at = time.UnixMicro(leaves).UTC()
			return b.CheckReadable(st)
		}, t.Roll.Timers)
		if err == nil && again {
			err = Settle(ctx, b, st, t)
		}
	}
	if err != nil || !ok {
		return time.Time{}, false, err
	}
	return at, true, nil
}

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
	return IsRolling(t) && b.Engine().Now().UnixMicro() >= rollOf(b, t).Next()
}

// rollOf returns the Roll of a rolling window, which of a derived board is that of the one with the
// results. O(depth).
func rollOf(b *catalog.Board, t *state.Timeline) *state.Roll {
	_, _, t = origin(b, nil, t)
	return t.Roll
}

// Raised rises whenever something has left a rolling window.
func Raised(b *catalog.Board, t *state.Timeline) uint64 { return rollOf(b, t).Raised() }

// Settle makes steps until nothing is due in a window. While the board is being migrated it waits, and then returns ErrMigrating. O(1) if
// nothing is due. Errors: engine.ErrInTx, those of Board.CheckReadable and of the engine.
func Settle(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline) error {
	for IsDue(b, t) {
		if err := b.Env().CheckNotInTx(); err != nil { // another step may wait for the closure
			return err
		}
		of, ofState, ofT := origin(b, st, t)
		err := Step(ctx, of, ofState, ofT)
		if err == state.ErrAgain || of != b && errors.Is(err, board.ErrMigrating) {
			_, err = of.Writable()
		}
		if err != nil {
			return err
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

// Step makes one step in a rolling window with results, unless nothing is due. Errors: ErrAgain
// while the board is being migrated or is about to be followed by another one, or a member to be
// moved to another group; and as Settle.
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
	err := b.Owner().UpdateLater(ctx, AppendKeys(nil, b, st, t), func(tx *engine.Tx) (err error) {
		d, err = stepIn(tx, b, st, t)
		return err
	})
	switch err {
	case nil:
		d.Raise()
	case state.ErrMoved:
		err = state.ErrAgain
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
	s, err := Open(tx, b, st, t, entries)
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
			for err == nil && t.Roll != nil && IsDue(b, t) && !c.IsStopped() {
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

// NextChange returns when the first of the results behind a member's score leaves a window: see
// Board.NextChange.
func NextChange(ctx context.Context, b *catalog.Board, window, member string) (at time.Time, ok bool, err error) {
	st, t, err := b.Timeline(window)
	if err != nil || !IsRolling(t) {
		return time.Time{}, false, err
	}
	first := int64(math.MaxInt64)
	for again := true; again && err == nil; {
		again = false
		key := rollOf(b, t).Timers
		err = b.Engine().View(ctx, func(tx *engine.Tx) error {
			timers, err := tx.IntSet(key, timersForm)
			if again = IsDue(b, t); err != nil || again {
				return err
			}
			for _, name := range scorers(b, []string{member}) {
				if leaves, ok := timers.Score([]byte(name)); ok {
					first = min(first, leaves)
				}
			}
			return b.CheckReadable(st)
		}, key)
		if err == nil && again {
			err = Settle(ctx, b, st, t)
		}
	}
	if err != nil || first == math.MaxInt64 {
		return time.Time{}, false, err
	}
	return time.UnixMicro(first).UTC(), true, nil
}

// scorers returns the members whose results make the scores of some members of a board: themselves,
// and of groups those who are in them.
func scorers(b *catalog.Board, names []string) []string {
	f := b.Following()
	if f == nil {
		return names
	}
	var in []string
	for _, name := range names {
		if g, err := f.Groups.Group(nil, name); err == nil {
			in = f.Groups.AppendMembers(nil, in, g, "", f.Groups.Size(nil, g))
		}
	}
	return scorers(f.Source, in)
}

package place

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
)

// Periods iterates over periods with their windows.
type Periods = iter.Seq2[*state.Timeline, *state.Slot]

// Unblock makes a call begin again after what its transaction has found in its way: results that
// have left, a reserve that is used up, or entries that were moved between sets. It returns other
// errors as they are. want is the number of members that the call may move out of a head. The
// caller holds no lock of the board.
func Unblock(ctx context.Context, err error, b *catalog.Board, st *state.State, all Periods, want int) error {
	switch err {
	case errBehind:
		if err := rolling.SettleAll(ctx, b, st); err != nil {
			return err
		}
		return state.ErrAgain
	case tail.ErrShort, state.ErrMoved:
	default:
		return err
	}
	for p := range withFollowers(b, st, all) {
		if err != tail.ErrShort {
			p.slot.WaitForSteps()
		} else if p.t.Top != nil {
			err := tail.Refill(ctx, p.b, p.st, p.t, p.slot, want)
			if err != nil && err != state.ErrAgain { // another of the periods may be the short one
				return err
			}
		}
	}
	return state.ErrAgain
}

// period is a period of a board.
type period struct {
	b    *catalog.Board
	st   *state.State
	t    *state.Timeline
	slot *state.Slot
}

// withFollowers iterates over periods of a board, and over those that follow them.
func withFollowers(b *catalog.Board, st *state.State, all Periods) iter.Seq[period] {
	return func(yield func(period) bool) {
		for t, slot := range all {
			if !eachFollower(period{b, st, t, slot}, yield) {
				return
			}
		}
	}
}

// eachFollower calls yield with a period and with those that follow it, until it returns false.
func eachFollower(p period, yield func(period) bool) bool {
	if !yield(p) {
		return false
	}
	for _, d := range p.b.Followers() {
		own := d.State()
		if t, slot, ok := own.Follows(p.t, p.slot); ok && !eachFollower(period{d, own, t, slot}, yield) {
			return false
		}
	}
	return true
}

// Prepare makes a transaction of the caller's possible, which cannot begin again: it moves members
// to heads that lack the room which transactions have needed.
func Prepare(ctx context.Context, b *catalog.Board, st *state.State, all Periods) error {
	for p := range withFollowers(b, st, all) {
		if p.t.Top == nil {
			continue
		}
		if err := tail.Prepare(ctx, p.b, p.st, p.t, p.slot); err != nil {
			return err
		}
	}
	return nil
}

// NoteShort makes Prepare make more room from now on, if that is what a transaction of the caller's
// lacked. It returns what the transaction needs other sets for, ErrMoved, in place of what it
// lacked.
func NoteShort(err error, b *catalog.Board, st *state.State, all Periods) error {
	if err != tail.ErrShort {
		return err
	}
	for p := range withFollowers(b, st, all) {
		if p.t.Top != nil {
			tail.Short(p.t, p.slot)
		}
	}
	return state.ErrMoved
}

// PeriodsOf iterates over the periods of places.
func PeriodsOf(all []Place) Periods {
	return func(yield func(*state.Timeline, *state.Slot) bool) {
		for i := range all {
			if !yield(all[i].T, all[i].Slot) {
				return
			}
		}
	}
}

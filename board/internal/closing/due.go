package closing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
)

// CloseDue closes all periods whose time is up, and drops the closed periods that are not kept: see Boards.CloseDue. Errors: that of
// catalog.JumpGuard and those of Boards.CloseDue.
func CloseDue(ctx context.Context, c *catalog.Catalog) (closed int, err error) {
	if err := c.CheckOpen(); err != nil {
		return 0, err
	}
	if err := c.CheckNotInTx(); err != nil {
		return 0, err
	}
	now := c.Engine.Now()
	if err := c.Jumps.Check(now); err != nil {
		return 0, err
	}
	return closeDue(ctx, c.All(), now.UnixMicro())
}

// CloseBoard is CloseDue of one board. The caller is in no transaction.
func CloseBoard(ctx context.Context, b *catalog.Board) error {
	now := b.Engine().Now()
	err := b.Env().Jumps.Check(now)
	if err == nil {
		_, err = closeDue(ctx, []*catalog.Board{b}, now.UnixMicro())
	}
	return err
}

// closeDue is CloseDue of some boards, at a time in microseconds after 1970.
func closeDue(ctx context.Context, boards []*catalog.Board, now int64) (closed int, err error) {
	var failures []error
	windows, periods := findDue(boards, now)
	failed := map[*state.Timeline]bool{} // windows with a period that could not be closed: their later periods stay open
	for _, d := range periods {
		if failed[d.t] {
			continue
		}
		closeIt := closeDuePeriod
		if d.slot.Closes > now {
			closeIt = closeBehind
		}
		n, err := closeIt(ctx, d.b, d.st, d.t, d.slot)
		closed += n
		if failed[d.t] = err != nil; err != nil && err != state.ErrAgain {
			failures = append(failures, fmt.Errorf("closing %s of %q, window %s: %w", d.slot.Name, d.st.Name, d.t.Window.Name, err))
		}
	}
	for _, d := range windows {
		if err := retain(ctx, d.b, d.st, d.t); err != nil && err != state.ErrAgain {
			failures = append(failures, err)
		}
	}
	return closed, errors.Join(failures...)
}

// due is a window that is due, or a period of it whose time is up.
type due struct {
	b    *catalog.Board
	st   *state.State
	t    *state.Timeline
	slot *state.Slot // nil for a window
}

// findDue returns the windows that are due at a time, and their periods in the order in which their time was up. It leaves out frozen
// boards. O(windows + open periods that are due).
func findDue(boards []*catalog.Board, now int64) (windows, periods []due) {
	for _, b := range boards {
		st := b.State()
		for _, t := range st.Timelines {
			early := behind(b, t)
			if t.Due.Load() > now && len(early) == 0 || b.IsFrozen() {
				continue
			}
			windows = append(windows, due{b, st, t, nil})
			for _, slot := range early {
				if slot.Closes > now {
					periods = append(periods, due{b, st, t, slot})
				}
			}
			for _, slot := range t.OpenDue(now) {
				periods = append(periods, due{b, st, t, slot})
			}
		}
	}
	slices.SortStableFunc(periods, func(a, b due) int { // sources before their followers
		return cmp.Or(cmp.Compare(min(a.slot.Closes, now), min(b.slot.Closes, now)), cmp.Compare(a.b.Depth(), b.b.Depth()))
	})
	return windows, periods
}

// NextDue returns a time, in microseconds after 1970, before which no window is due. O(windows).
func NextDue(c *catalog.Catalog) int64 {
	next := int64(math.MaxInt64)
	for _, b := range c.All() {
		for _, t := range b.State().Timelines {
			next = min(next, t.Due.Load())
		}
	}
	return next
}

// NextClose returns the first time, not before from, at which an open period closes; both are microseconds after 1970. math.MaxInt64: none does. O(open periods).
func NextClose(c *catalog.Catalog, from int64) int64 {
	next := int64(math.MaxInt64)
	for _, b := range c.All() {
		for _, t := range b.State().Timelines {
			for _, slot := range t.OpenSlots() {
				if slot.Closes >= from {
					next = min(next, slot.Closes)
				}
			}
		}
	}
	return next
}

package state

import (
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
)

// LinesAt returns the timelines of the windows that a submission of a time goes to: all windows if
// there are no names, less those that have no period then, as between two seasons. Errors:
// ErrNoWindow; ErrOutside if none of the windows has a period.
func (st *State) LinesAt(windows []string, at time.Time) (lines []*Timeline, err error) {
	for _, name := range windows {
		if _, err := st.Timeline(name); err != nil {
			return nil, err
		}
	}
	all := len(windows) == 0
	for _, t := range st.Timelines {
		all = all && t.HasPeriod(at)
	}
	if all {
		return st.Timelines, nil
	}
	for _, t := range st.Timelines {
		switch named := len(windows) == 0 || slices.Contains(windows, t.Window.Name); {
		case named && t.HasPeriod(at):
			lines = append(lines, t)
		case named && err == nil:
			_, err = t.PeriodAt(at)
		}
	}
	if len(lines) > 0 {
		return lines, nil
	}
	return nil, err
}

// IsIn reports whether the period has not ended by a time.
func (s *Slot) IsIn(at time.Time) bool { return s.End.IsZero() || at.Before(s.End) }

// ResultSlot returns the period that a result of a time is in, at another time. Errors: ErrOutside;
// ErrTime if the period has not begun.
func (t *Timeline) ResultSlot(at, now time.Time) (*Slot, error) {
	slot, err := t.SlotAt(at)
	if err == nil && slot.Start.After(now) {
		err = fmt.Errorf("%w: %s of %q begins at %s, and it is %s", board.ErrTime, slot.Name, t.Board, slot.Start.Format(time.RFC3339Nano), now.Format(time.RFC3339Nano))
	}
	return slot, err
}

// OpenPeriods iterates over the open periods of all windows: windows as in the spec, periods in
// order of time.
func (st *State) OpenPeriods(yield func(*Timeline, *Slot) bool) {
	for _, t := range st.Timelines {
		for _, slot := range t.OpenSlots() {
			if !yield(t, slot) {
				return
			}
		}
	}
}

// Follows returns the period of a derived board that has the name and the times of one of its
// source, and false if the board does not follow that window.
func (st *State) Follows(t *Timeline, slot *Slot) (own *Timeline, period *Slot, ok bool) {
	for _, own := range st.Timelines {
		if own.Window.Name == t.Window.Name {
			return own, own.SlotFor(slot.Period), true
		}
	}
	return nil, nil, false
}

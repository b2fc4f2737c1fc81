package board

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// closeDue closes all periods whose time is up, and drops the closed periods that are not kept: see Boards.CloseDue.
func closeDue(c *catalog) (closed int, err error) {
	if err := c.checkOpen(); err != nil {
		return 0, err
	}
	if err := c.checkOutside(); err != nil {
		return 0, err
	}
	var failures []error
	windows, periods := findDue(c, c.engine.Now().UnixMicro())
	failed := map[*timeline]bool{} // no period is closed before an earlier one of its window
	for _, d := range periods {
		if failed[d.t] {
			continue
		}
		n, err := closeDuePeriod(d.b, d.st, d.t, d.x)
		closed += n
		if failed[d.t] = err != nil; err != nil && err != errAgain {
			failures = append(failures, fmt.Errorf("closing %s of %q, window %s: %w", d.x.Name, d.st.name, d.t.Window.Name, err))
		}
	}
	for _, d := range windows {
		if err := retain(d.b, d.st, d.t); err != nil && err != errAgain {
			failures = append(failures, err)
		}
	}
	return closed, errors.Join(failures...)
}

// due is a window that is due, or a period of it whose time is up.
type due struct {
	b  *core
	st *state
	t  *timeline
	x  *slot // nil for a window
}

// findDue returns the windows that are due at a time, and their periods in the order in which their time was up. It leaves out frozen
// boards. O(windows + open periods that are due).
func findDue(c *catalog, now int64) (windows, periods []due) {
	for _, b := range c.all() {
		st := b.state()
		for _, t := range st.timelines {
			if t.due.Load() > now || b.isFrozen() {
				continue
			}
			windows = append(windows, due{b, st, t, nil})
			for _, x := range t.openDue(now) {
				periods = append(periods, due{b, st, t, x})
			}
		}
	}
	slices.SortStableFunc(periods, func(a, b due) int { return cmp.Compare(a.x.closes, b.x.closes) })
	return windows, periods
}

// nextDue returns a time, in microseconds after 1970, before which no window is due. O(windows).
func nextDue(c *catalog) int64 {
	next := int64(math.MaxInt64)
	for _, b := range c.all() {
		for _, t := range b.state().timelines {
			next = min(next, t.due.Load())
		}
	}
	return next
}

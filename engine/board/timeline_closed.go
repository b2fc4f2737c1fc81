package board

import (
	"slices"
	"time"
)

// isClosed reports whether a commit has closed the period. All time has no end, and is never closed.
func (t *timeline) isClosed(x *slot) bool { return x.middle < t.closedThrough.Load() }

// accepts reports whether a period takes results at a time.
func (t *timeline) accepts(x *slot, now time.Time) bool {
	return x.middle >= t.closingThrough.Load() && now.UnixMicro() < x.closes
}

// anotherIsLive reports whether another period than this one is live at a time.
func (t *timeline) anotherIsLive(x *slot, now time.Time) bool {
	live, err := t.cal.At(now)
	return err == nil && live.Name != x.Name
}

// closedError returns the error of a result for a period that is closed.
func (t *timeline) closedError(x *slot, at, now time.Time) error {
	live := ""
	if p, err := t.cal.At(now); err == nil && p.Name != x.Name && t.accepts(t.slotOf(p), now) {
		live = p.Name
	}
	return &PeriodClosedError{Board: t.board, Window: t.Window.Name, Period: x.Name, At: at, Live: live}
}

// setClosedThrough notes that the window is closed up to a time, in microseconds after 1970.
func (t *timeline) setClosedThrough(through int64) {
	t.closedThrough.Store(max(through, t.closedThrough.Load()))
	t.closingThrough.Store(max(through, t.closingThrough.Load()))
}

// beginClosing makes accepts refuse the periods that end at or before a time, until endClosing. The caller holds Board.closing.
func (t *timeline) beginClosing(end int64) { t.closingThrough.Store(max(end, t.closingThrough.Load())) }

// endClosing makes accepts refuse closed periods only.
func (t *timeline) endClosing() { t.closingThrough.Store(t.closedThrough.Load()) }

// markClosed notes that a commit has closed a period. It removes the period from the open ones, and earlier periods too: submissions
// that noted such a period after its closing were refused, see Board.CheckWritable.
func (t *timeline) markClosed(x *slot, r *record) {
	if r.Members > 0 {
		t.addRecord(r)
	}
	t.setClosedThrough(x.End.UnixMicro()) // before the period leaves open: see noteOpen
	t.mu.Lock()
	defer t.mu.Unlock()
	closed := slices.IndexFunc(t.open, func(y *slot) bool { return !t.isClosed(y) })
	if closed < 0 {
		closed = len(t.open)
	}
	clear(t.open[:closed])
	t.open = t.open[closed:]
}

// addRecord adds the record of a closed period, with its times in the window's zone.
func (t *timeline) addRecord(r *record) {
	if p, err := t.cal.Parse(r.Period); err == nil {
		zone := p.Start.Location()
		r.Start, r.End, r.ClosedAt = r.Start.In(zone), r.End.In(zone), r.ClosedAt.In(zone)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byName[r.Period] != nil {
		return
	}
	i, _ := slices.BinarySearchFunc(t.records, r, func(a, b *record) int { return a.Start.Compare(b.Start) })
	t.records = slices.Insert(t.records, i, r)
	t.byName[r.Period] = r
}

// removeRecord removes the record of a closed period that was dropped.
func (t *timeline) removeRecord(r *record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.byName, r.Period)
	switch i := slices.Index(t.records, r); {
	case i == 0: // the usual case
		t.records[0] = nil
		t.records = t.records[1:]
	case i > 0:
		t.records = slices.Delete(t.records, i, i+1)
	}
}

// surplus returns the record of the oldest closed period if there are more than the window keeps, else nil.
func (t *timeline) surplus() *record {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Keep == 0 || len(t.records) <= t.Keep {
		return nil
	}
	return t.records[0]
}

// recordOf returns the record of a period, nil if it is open or had no members when it was closed.
func (t *timeline) recordOf(period string) *record {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byName[period]
}

// lastRecord returns the record of the last closed period with members, nil if there is none.
func (t *timeline) lastRecord() *record {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.records) == 0 {
		return nil
	}
	return t.records[len(t.records)-1]
}

// inherit copies the open and closed periods of the same window under an earlier spec.
func (t *timeline) inherit(old *timeline) {
	t.setClosedThrough(old.closedThrough.Load())
	for _, p := range old.periods() {
		if r := old.recordOf(p.Name); r != nil {
			t.addRecord(new(*r))
		} else if p, err := t.cal.Parse(p.Name); err == nil {
			t.noteOpen(t.slotOf(p))
		}
	}
	if t.surplus() != nil {
		t.setDueNow()
	}
}

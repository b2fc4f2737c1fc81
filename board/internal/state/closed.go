package state

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// Accepts reports whether a period takes results at a time.
func (t *Timeline) Accepts(slot *Slot, now time.Time) bool {
	return slot.middle >= t.ClosingThrough.Load() && now.UnixMicro() < slot.Closes
}

// RefusesThrough returns the end of the last period that takes no results at a time, in microseconds after 1970, and false if all do: Accepts is true of the periods whose middle is not
// before it. O(1).
func (t *Timeline) RefusesThrough(now time.Time) (end int64, ok bool) {
	end = t.ClosingThrough.Load()
	if t.Grace != window.Forever {
		p, err := t.Cal.At(now.Add(-time.Duration(t.Grace)))
		outside := new(window.OutsideError)
		switch {
		case err == nil && !p.End.IsZero():
			end = max(end, p.Start.UnixMicro())
		case errors.As(err, &outside) && outside.Before != nil:
			end = max(end, outside.Before.End.UnixMicro())
		}
	}
	return end, end != math.MinInt64
}

// OldestMiddle returns the middle of the oldest period that is closed and kept, or open; math.MaxInt64 if there is none, or it never closes.
func (t *Timeline) OldestMiddle() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	oldest := int64(math.MaxInt64)
	if len(t.open) > 0 {
		oldest = t.open[0].middle
	}
	if len(t.Records) > 0 {
		oldest = min(oldest, middleOf(t.Records[0].Start, t.Records[0].End))
	}
	return oldest
}

// AnotherIsLive reports whether another period than this one is live at a time.
func (t *Timeline) AnotherIsLive(slot *Slot, now time.Time) bool {
	live, err := t.Cal.At(now)
	return err == nil && live.Name != slot.Name
}

// ClosedError returns the error of a result for a period that is closed.
func (t *Timeline) ClosedError(slot *Slot, at, now time.Time) error {
	live := ""
	if p, err := t.Cal.At(now); err == nil && p.Name != slot.Name && t.Accepts(t.SlotOf(p), now) {
		live = p.Name
	}
	return &board.PeriodClosedError{Board: t.Board, Window: t.Window.Name, Period: slot.Name, At: at, Live: live}
}

// Closable returns the slot of the live period. If none is live, it returns the season that ended last, if that still takes late results. Errors: those of SlotAt.
func (t *Timeline) Closable(now time.Time) (*Slot, error) {
	slot, err := t.SlotAt(now)
	if outside := new(window.OutsideError); errors.As(err, &outside) && outside.Before != nil {
		if last := t.SlotOf(*outside.Before); t.Accepts(last, now) {
			return last, nil
		}
	}
	return slot, err
}

// NextReset returns the first moment of the next period, and false if there is none. Error: window.ErrTime.
func (t *Timeline) NextReset(now time.Time) (at time.Time, ok bool, err error) {
	p, err := t.Cal.At(now)
	if outside := new(window.OutsideError); errors.As(err, &outside) {
		if outside.After == nil {
			return time.Time{}, false, nil
		}
		return outside.After.Start, true, nil
	}
	if err != nil {
		return time.Time{}, false, err
	}
	next, ok := t.Cal.Next(p)
	return next.Start, ok, nil
}

// periodsBack is the number of periods before the live one that Earlier searches.
const periodsBack = 100

// Earlier returns the name of the period before the live one that is the one looked for, and false if there is none among the last 100. O(periodsBack).
func (t *Timeline) Earlier(now time.Time, is func(period string) bool) (period string, ok bool) {
	p, err := t.PeriodAt(now)
	if err != nil {
		return "", false
	}
	for range periodsBack {
		if p, ok = t.Cal.Prev(p); !ok {
			return "", false
		}
		if is(p.Name) {
			return p.Name, true
		}
	}
	return "", false
}

// SetClosedThrough notes that the window is closed up to a time, in microseconds after 1970.
func (t *Timeline) SetClosedThrough(through int64) {
	t.closedThrough.Store(max(through, t.closedThrough.Load()))
	t.ClosingThrough.Store(max(through, t.ClosingThrough.Load()))
}

// ClosedThrough returns up to when the window is closed, in microseconds after 1970; math.MinInt64: nothing is.
func (t *Timeline) ClosedThrough() int64 { return t.closedThrough.Load() }

// BeginClosing makes Accepts refuse the periods that end at or before a time, until EndClosing. The caller holds Board.closing.
func (t *Timeline) BeginClosing(end int64) { t.ClosingThrough.Store(max(end, t.ClosingThrough.Load())) }

// EndClosing makes Accepts refuse only closed periods again.
func (t *Timeline) EndClosing() { t.ClosingThrough.Store(t.closedThrough.Load()) }

// MarkClosed notes that a commit has closed a period. It removes the period and all earlier ones from the open periods. A submission may have
// noted an earlier period as open after its closing, but was refused then: see Board.CheckWritable.
func (t *Timeline) MarkClosed(slot *Slot, r *Record) {
	if !r.IsEmpty() {
		t.AddRecord(r)
	}
	t.SetClosedThrough(slot.End.UnixMicro()) // before the period leaves t.open, so that NoteOpen does not add it again
	t.mu.Lock()
	defer t.mu.Unlock()
	closed := slices.IndexFunc(t.open, func(other *Slot) bool { return !t.IsClosed(other) })
	if closed < 0 {
		closed = len(t.open)
	}
	clear(t.open[:closed])
	t.open = t.open[closed:]
}

// AddRecord adds the record of a closed period, with its times in the window's zone.
func (t *Timeline) AddRecord(r *Record) { t.AddRecords([]*Record{r}) }

// AddRecords adds the records of closed periods, with their times in the window's zone. It leaves out those of periods that have one. O(1) for
// a record that is later than the others, and otherwise O(later records).
func (t *Timeline) AddRecords(list []*Record) {
	zone := t.Cal.Zone()
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.byName) == 0 {
		t.byName, t.Records = make(map[string]*Record, len(list)), make([]*Record, 0, len(list))
	}
	for _, r := range list {
		if t.byName[r.Period] != nil {
			continue
		}
		r.Start, r.End, r.ClosedAt = r.Start.In(zone), r.End.In(zone), r.ClosedAt.In(zone)
		i := len(t.Records)
		if i > 0 && !t.Records[i-1].Start.Before(r.Start) {
			i, _ = slices.BinarySearchFunc(t.Records, r, func(a, b *Record) int { return a.Start.Compare(b.Start) })
		}
		t.Records = slices.Insert(t.Records, i, r)
		t.byName[r.Period] = r
	}
}

// BeginModeration says that a commit is about to change closed periods. end says that it has, or has failed. The caller holds Board.closing.
func (t *Timeline) BeginModeration() (end func()) {
	t.moderations.Add(1)
	return func() { t.moderations.Add(1) }
}

// Moderations returns a number that changes with every change of a closed period of the window; odd while one is being committed. A caller that reads a
// closed period in several steps compares the numbers before and after.
func (t *Timeline) Moderations() uint64 { return t.moderations.Load() }

// ReplaceRecord puts a record in place of the one that the period has, with its times in the window's zone. It does nothing if the period has none.
func (t *Timeline) ReplaceRecord(r *Record) {
	zone := t.Cal.Zone()
	r.Start, r.End, r.ClosedAt = r.Start.In(zone), r.End.In(zone), r.ClosedAt.In(zone)
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.Records, t.byName[r.Period]); i >= 0 {
		t.Records[i], t.byName[r.Period] = r, r
	}
}

// ClosedRecords returns the records of the closed periods with members, in order of time. O(closed periods).
func (t *Timeline) ClosedRecords() []*Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.Records)
}

// RemoveRecord removes the record of a closed period that was dropped.
func (t *Timeline) RemoveRecord(r *Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.byName, r.Period)
	t.forget(r.Period)
	switch i := slices.IndexFunc(t.Records, func(other *Record) bool { return other.Period == r.Period }); {
	case i == 0: // the usual case
		t.Records[0] = nil
		t.Records = t.Records[1:]
	case i > 0:
		t.Records = slices.Delete(t.Records, i, i+1)
	}
}

// Surplus returns the record of the oldest closed period that may be dropped, if there are more than the window keeps, else nil. A period stays until its
// awards are settled, and delivered unless they are claimed, and until its cohorts are settled.
func (t *Timeline) Surplus() *Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Keep == 0 {
		return nil
	}
	for _, r := range t.Records[:max(0, len(t.Records)-t.Keep)] {
		if t.isPromoting(r.Period) {
			continue
		}
		if s := t.settlementOf(r.Period); s == nil || !s.Holds() {
			return r
		}
	}
	return nil
}

// RecordOf returns the record of a period, nil if it is open or had no members when it was closed.
func (t *Timeline) RecordOf(period string) *Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byName[period]
}

// LastRecord returns the record of the last closed period with members, nil if there is none.
func (t *Timeline) LastRecord() *Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.Records) == 0 {
		return nil
	}
	return t.Records[len(t.Records)-1]
}

// Inherit copies the open and closed periods of the same window under an earlier spec.
func (t *Timeline) Inherit(old *Timeline) {
	t.SetClosedThrough(old.closedThrough.Load())
	for _, p := range old.Periods() {
		if r := old.RecordOf(p.Name); r != nil {
			t.AddRecord(new(*r))
		} else if p, err := t.Cal.Parse(p.Name); err == nil {
			t.NoteOpen(t.SlotOf(p))
		}
	}
	for _, s := range old.Settlements() {
		t.AddSettlement(s)
	}
	if t.Surplus() != nil {
		t.SetDueNow()
	}
}

// ClosedRecord returns the record of a closed period. open says what to do where it is open. Errors: ErrNoPeriod, ErrPeriodOpen.
func (t *Timeline) ClosedRecord(period, open string) (*Record, error) {
	if r := t.RecordOf(period); r != nil {
		return r, nil
	}
	p, err := t.Cal.Parse(period)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %q, window %s: %w", board.ErrNoPeriod, t.Board, t.Window.Name, err)
	case !t.IsClosed(t.SlotOf(p)):
		return nil, fmt.Errorf("%w: %s of %q, window %s: %s", board.ErrPeriodOpen, period, t.Board, t.Window.Name, open)
	}
	return nil, fmt.Errorf("%w: %s of %q, window %s: nobody was ranked in it, or it was dropped", board.ErrNoPeriod, period, t.Board, t.Window.Name)
}

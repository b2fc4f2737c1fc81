package state

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/window"
)

// Timeline is one window of a board: which of its periods are open and which are closed.
//
// A period closes in four steps:
//
//   - The closer raises ClosingThrough to the period's end. A transaction that calls Accepts from then on does not change the period.
//   - It waits for the locks of the sets up to that end. A transaction that called Accepts before has ended then.
//   - It commits the closing.
//   - It raises closedThrough.
//
// A transaction that makes a set first notes the period as open and then calls Accepts, so that the closer waits for its lock too.
type Timeline struct {
	window.Window
	Cal     *window.Calendar
	Board   string
	Version int
	BestKey string     // the key of the set of best ranks, which does not change with the version
	TierKey string     // the key of the set of the tiers of members in the leagues of this window, which does not change with the version
	Roll    *Roll      // nil unless the window is rolling, and the board is not derived
	Top     *board.Top // nil unless rankings have the best members only
	parts   int        // the fixed number of sets of a ranking; 0: it is 1, or follows partMembers

	partMembers int // see Parts.Limit

	HasCohorts bool         // the leagues of the board are of this window
	ready      atomic.Int64 // see IsReady

	// closedThrough is the end of the last closed period, in microseconds after 1970. It never falls.
	closedThrough  atomic.Int64
	ClosingThrough atomic.Int64               // the next value of closedThrough; it falls back if the commit fails. Guarded by Board.closing
	last           atomic.Pointer[Slot]       // the slot that SlotAt returned last: most submissions belong to it
	Live           atomic.Pointer[LivePeriod] // the period that was live when a ranking of Board.Live was read last
	Due            atomic.Int64               // a time, in microseconds after 1970, before which nothing is to be closed or dropped. Written under mu

	// Times says whether an entry of the window has times that are stored beside it. It changes under the lock of the board's private keys.
	Times atomic.Int32

	moderations atomic.Uint64 // see Moderations

	mu          sync.Mutex
	open        []*Slot   // the noted periods that are not closed, in order of time. They include every open period with members
	Records     []*Record // of closed periods with members, in order of time
	byName      map[string]*Record
	tails       map[string]*buckets.Tail // of the periods whose rankings have one, by name
	settled     map[string]*Settlement   // by period
	settlements []*Settlement            // of closed periods with awards, in order of time. The list is replaced or grows; its elements stay
	promoting   []*Promoting             // the closed periods whose cohorts are not settled, in order of time. The list is replaced when it changes
	divided     map[string]*Parts        // of the periods whose number of parts follows that of members, by name
}

// notReady is a value of Timeline.ready that no period has.
const notReady = math.MinInt64

// The values of Timeline.Times.
const (
	UnknownTimes int32 = iota
	NoTimes
	SomeTimes
)

func newTimeline(spec board.Spec, w window.Window, version int) (*Timeline, error) {
	boardName := spec.Name
	cal, err := w.Calendar()
	if err != nil {
		return nil, err
	}
	t := &Timeline{Window: w, Cal: cal, Board: boardName, Version: version, parts: spec.Parts, partMembers: spec.PartMembers, byName: map[string]*Record{}}
	t.BestKey = boardkey.Key{Board: boardName, Kind: boardkey.BestKind + w.Name, Period: boardkey.NoPeriod, Version: 1}.String()
	t.TierKey = boardkey.Key{Board: boardName, Kind: boardkey.TierKind + w.Name, Period: boardkey.NoPeriod, Version: 1}.String()
	if w.Kind == window.Rolling && spec.Derived == nil {
		t.Roll = newRoll(boardName, w.Name, version)
	}
	t.Due.Store(math.MaxInt64)
	t.closedThrough.Store(math.MinInt64)
	t.ready.Store(notReady)
	t.ClosingThrough.Store(math.MinInt64)
	return t, nil
}

// Key returns the key of a period's ranking.
func (t *Timeline) Key(period string) string {
	return boardkey.Key{Board: t.Board, Kind: t.Window.Name, Period: period, Version: t.Version}.String()
}

// CohortKey returns the key of the set with the cohorts of a period, which does not change with the version. O(1).
func (t *Timeline) CohortKey(period string) string {
	return boardkey.Key{Board: t.Board, Kind: boardkey.CohortKind + t.Window.Name, Period: period, Version: 1}.String()
}

// PeriodAt returns the period that a time lies in. O(1). Errors: an *OutsideError, ErrTime.
func (t *Timeline) PeriodAt(at time.Time) (window.Period, error) {
	p, err := t.Cal.At(at)
	if errors.Is(err, window.ErrTime) {
		err = fmt.Errorf("%w: %w", board.ErrTime, err)
	}
	if err != nil {
		return p, fmt.Errorf("%w: %q", err, t.Board)
	}
	return p, nil
}

// HasPeriod reports whether a time lies in a period, or in a window without gaps. O(1).
func (t *Timeline) HasPeriod(at time.Time) bool { return t.Cal.Has(at) }

// SlotAt returns the slot of the period that a time lies in. O(1). Errors: those of PeriodAt.
func (t *Timeline) SlotAt(at time.Time) (*Slot, error) {
	p, err := t.PeriodAt(at)
	if err != nil {
		return nil, err
	}
	return t.SlotFor(p), nil
}

// SlotFor is SlotOf for callers that often ask for the same period, as SlotAt. O(1) then.
func (t *Timeline) SlotFor(p window.Period) *Slot {
	if slot := t.last.Load(); slot != nil && slot.Name == p.Name {
		return slot
	}
	slot := t.SlotOf(p)
	t.last.Store(slot)
	return slot
}

// SlotOf returns the slot of a period: the open one, or a new one. O(log open periods).
func (t *Timeline) SlotOf(p window.Period) *Slot {
	slot := newSlot(p, t.Key(p.Name), t.PartsOf(p.Name), t.Cal)
	if t.HasCohorts {
		slot.CohortKey = t.CohortKey(p.Name)
		if before, ok := t.Cal.Prev(p); ok && t.Grace != 0 {
			slot.before = newSlot(before, "", nil, t.Cal)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i, open := t.index(slot); open {
		return t.open[i]
	}
	slot.Tail = t.tailOf(p.Name)
	return slot
}

// index returns the position of a period among the open ones, from 0, or the one it would take. The caller holds mu.
func (t *Timeline) index(slot *Slot) (i int, open bool) {
	return slices.BinarySearchFunc(t.open, slot, func(a, b *Slot) int { return cmp.Compare(a.middle, b.middle) })
}

// NoteOpen adds a period to the open ones, unless it is closed, so that the scheduler closes it
// when its time is up; and the one that NoteBefore adds.
func (t *Timeline) NoteOpen(slot *Slot) {
	if slot.noted.Load() {
		return
	}
	t.NoteBefore(slot)
	t.note(slot)
}

// NoteBefore adds the period before one of leagues with a grace to the open ones, unless it is
// closed: members are put into cohorts after its closing, even if nobody is in it.
func (t *Timeline) NoteBefore(slot *Slot) {
	if slot.before != nil {
		t.note(t.SlotOf(slot.before.Period))
	}
}

// note adds a period to the open ones, unless it is closed.
func (t *Timeline) note(slot *Slot) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, open := t.index(slot)
	if t.IsClosed(slot) {
		return
	}
	if slot.noted.Store(true); !open {
		t.open = slices.Insert(t.open, i, slot)
		t.Due.Store(min(t.Due.Load(), slot.Closes))
	}
}

// IsClosed reports whether a commit has closed the period. The period of the window All has no end, and is never closed.
func (t *Timeline) IsClosed(slot *Slot) bool { return slot.middle < t.closedThrough.Load() }

// OpenSlots returns the open periods in order of time.
func (t *Timeline) OpenSlots() []*Slot {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.open)
}

// OpenBefore returns the open periods that end at or before a time, in order.
func (t *Timeline) OpenBefore(end int64) []*Slot {
	return t.openWhile(func(slot *Slot) bool { return slot.middle < end })
}

// OpenDue returns the open periods whose time is up, in order.
func (t *Timeline) OpenDue(now int64) []*Slot {
	return t.openWhile(func(slot *Slot) bool { return slot.Closes <= now })
}

// openWhile returns the open periods before the first for which want is false. O(returned periods).
func (t *Timeline) openWhile(want func(*Slot) bool) (list []*Slot) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, slot := range t.open {
		if !want(slot) {
			break
		}
		list = append(list, slot)
	}
	return list
}

// SetDueNow makes the window due at once.
func (t *Timeline) SetDueNow() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Due.Store(math.MinInt64)
}

// PlanDue makes the window due when its first open period closes.
func (t *Timeline) PlanDue() {
	t.mu.Lock()
	defer t.mu.Unlock()
	next := int64(math.MaxInt64)
	if len(t.open) > 0 {
		next = t.open[0].Closes
	}
	t.Due.Store(next)
}

// KeptPeriod is a period that may have members.
type KeptPeriod struct {
	window.Period
	Closed bool
}

// Periods returns the periods that may have members, in order of time.
func (t *Timeline) Periods() []KeptPeriod {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]KeptPeriod, 0, len(t.open)+len(t.Records))
	for _, r := range t.Records {
		all = append(all, KeptPeriod{window.Period{Name: r.Period, Start: r.Start, End: r.End}, true})
	}
	for _, slot := range t.open {
		if t.byName[slot.Name] == nil {
			all = append(all, KeptPeriod{slot.Period, false})
		}
	}
	slices.SortFunc(all, func(a, b KeptPeriod) int { return cmp.Compare(a.Start.UnixMicro(), b.Start.UnixMicro()) })
	return all
}

// tailOf returns the tail of a period, nil if rankings of the window have none. The caller holds mu.
func (t *Timeline) tailOf(period string) *buckets.Tail {
	if t.Top == nil {
		return nil
	}
	tail := t.tails[period]
	if tail == nil {
		if t.tails == nil {
			t.tails = map[string]*buckets.Tail{}
		}
		tail = buckets.New(t.Top.Segments, func(number uint32) string { return t.BucketKey(period, number) })
		t.tails[period] = tail
	}
	return tail
}

// TailOf returns the tail of a period, nil if rankings of the window have none.
func (t *Timeline) TailOf(period string) *buckets.Tail {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tailOf(period)
}

// partsOf returns the parts of a period, nil if the board is not in parts. The caller holds mu.
func (t *Timeline) partsOf(period string) *Parts {
	if t.parts == 0 && t.partMembers == 0 {
		return nil
	}
	if p := t.divided[period]; p != nil {
		return p
	}
	p := &Parts{Limit: t.partMembers, keyOf: func(i int) string {
		return boardkey.Key{Board: t.Board, Kind: boardkey.PartKind(t.Window.Name, i), Period: period, Version: t.Version}.String()
	}}
	p.Set(ranking.Steady(max(t.parts, 1)))
	if t.partMembers > 0 { // everybody must have the same
		if t.divided == nil {
			t.divided = map[string]*Parts{}
		}
		t.divided[period] = p
	}
	return p
}

// PartsOf returns the parts of a period, nil if the board is not in parts.
func (t *Timeline) PartsOf(period string) *Parts {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.partsOf(period)
}

// SetLayout notes the stored layout of a period's ranking, unless the number of parts is fixed.
func (t *Timeline) SetLayout(period string, l ranking.Layout) {
	if p := t.PartsOf(period); p != nil && p.Limit > 0 {
		p.Set(l)
	}
}

// forget forgets the tail and the parts of a period that was dropped. The caller holds mu.
func (t *Timeline) forget(period string) {
	delete(t.tails, period)
	delete(t.divided, period)
}

// NamedTail is the tail of a period.
type NamedTail struct {
	Period string
	Tail   *buckets.Tail
}

// Tails returns the tails that are known. O(tails).
func (t *Timeline) Tails() []NamedTail {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]NamedTail, 0, len(t.tails))
	for period, tail := range t.tails {
		all = append(all, NamedTail{period, tail})
	}
	return all
}

// NoteBucket notes a bucket that exists as a set, if the window has Top.
func (t *Timeline) NoteBucket(period string, number uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if tail := t.tailOf(period); tail != nil {
		tail.Found(number)
	}
}

// BucketKey returns the key of a bucket of a period's tail.
func (t *Timeline) BucketKey(period string, number uint32) string {
	return boardkey.Key{Board: t.Board, Kind: boardkey.BucketKind(number, t.Window.Name), Period: period, Version: t.Version}.String()
}

package board

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/board/window"
)

// timeline is one window of a board: which of its periods are open and which are closed.
//
// A period closes in four steps. The closer raises closingThrough to the period's end, so that transactions that check from then on leave
// the period alone. It waits for the locks of the sets up to that end, so that transactions that checked before are over. It commits
// the closing. It raises closedThrough. A transaction that makes a set notes the period as open first and checks then, so the closer
// waits for its lock too.
type timeline struct {
	Window
	cal     *window.Calendar
	board   string
	version int
	bestKey string // the key of best ranks, which does not change with the version

	// closedThrough is the end of the last closed period, in microseconds after 1970. It never falls.
	closedThrough  atomic.Int64
	closingThrough atomic.Int64               // what closedThrough is about to be; it falls back if the commit fails. Guarded by Board.closing
	last           atomic.Pointer[slot]       // the slot that slotAt returned last: most submissions belong to it
	live           atomic.Pointer[livePeriod] // the period that was live when a ranking of Board.Live was read last
	due            atomic.Int64               // not after the time at which a period is to be closed or dropped. Written under mu

	mu      sync.Mutex
	open    []*slot   // in order of time: the noted periods that are not closed. Every open period with members is among them
	records []*record // of closed periods with members, in order of time
	byName  map[string]*record
}

func newTimeline(board string, w Window, version int) (*timeline, error) {
	cal, err := w.Calendar()
	if err != nil {
		return nil, err
	}
	t := &timeline{Window: w, cal: cal, board: board, version: version, byName: map[string]*record{}}
	t.bestKey = Key{board, bestKind + w.Name, noPeriod, 1}.String()
	t.due.Store(math.MaxInt64)
	t.closedThrough.Store(math.MinInt64)
	t.closingThrough.Store(math.MinInt64)
	return t, nil
}

// key returns the key of a period's ranking.
func (t *timeline) key(period string) string {
	return Key{t.board, t.Window.Name, period, t.version}.String()
}

// keys returns the keys of the sets that submissions may be about to make.
func (t *timeline) keys() []string {
	keys := []string{t.bestKey}
	for _, x := range t.openSlots() {
		keys = append(keys, x.key)
	}
	return keys
}

// periodAt returns the period that a time lies in. O(1). Errors: an *OutsideError, ErrTime.
func (t *timeline) periodAt(at time.Time) (Period, error) {
	p, err := t.cal.At(at)
	if errors.Is(err, window.ErrTime) {
		err = fmt.Errorf("%w: %w", ErrTime, err)
	}
	if err != nil {
		return p, fmt.Errorf("%w: %q", err, t.board)
	}
	return p, nil
}

// slotAt returns the slot of the period that a time lies in. O(1). Errors: those of periodAt.
func (t *timeline) slotAt(at time.Time) (*slot, error) {
	p, err := t.periodAt(at)
	if err != nil {
		return nil, err
	}
	if x := t.last.Load(); x != nil && x.Name == p.Name {
		return x, nil
	}
	x := t.slotOf(p)
	t.last.Store(x)
	return x, nil
}

// slotOf returns the slot of a period: the open one, or a new one. O(log open periods).
func (t *timeline) slotOf(p Period) *slot {
	x := newSlot(p, t.key(p.Name), t.cal)
	t.mu.Lock()
	defer t.mu.Unlock()
	if i, open := t.index(x); open {
		return t.open[i]
	}
	return x
}

// index returns the position of a period among the open ones, from 0, or the one it would take. The caller holds mu.
func (t *timeline) index(x *slot) (i int, open bool) {
	return slices.BinarySearchFunc(t.open, x, func(a, b *slot) int { return cmp.Compare(a.middle, b.middle) })
}

// noteOpen adds a period to the open ones, unless it is closed, so that the scheduler closes it when its time is up.
func (t *timeline) noteOpen(x *slot) {
	if x.noted.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	i, open := t.index(x)
	if t.isClosed(x) {
		return
	}
	if x.noted.Store(true); !open {
		t.open = slices.Insert(t.open, i, x)
		t.due.Store(min(t.due.Load(), x.closes))
	}
}

// openSlots returns the open periods in order of time.
func (t *timeline) openSlots() []*slot {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.open)
}

// openBefore returns the open periods that end at or before a time, in order.
func (t *timeline) openBefore(end int64) []*slot {
	return t.openWhile(func(x *slot) bool { return x.middle < end })
}

// openDue returns the open periods whose time is up, in order.
func (t *timeline) openDue(now int64) []*slot {
	return t.openWhile(func(x *slot) bool { return x.closes <= now })
}

// openWhile returns the open periods up to the first for which want is false. O(those).
func (t *timeline) openWhile(want func(*slot) bool) (list []*slot) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, x := range t.open {
		if !want(x) {
			break
		}
		list = append(list, x)
	}
	return list
}

// setDueNow makes the window due at once.
func (t *timeline) setDueNow() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.due.Store(math.MinInt64)
}

// planDue makes the window due when its first open period closes.
func (t *timeline) planDue() {
	t.mu.Lock()
	defer t.mu.Unlock()
	next := int64(math.MaxInt64)
	if len(t.open) > 0 {
		next = t.open[0].closes
	}
	t.due.Store(next)
}

// keptPeriod is a period that may have members.
type keptPeriod struct {
	Period
	closed bool
}

// periods returns the periods that may have members, in order of time.
func (t *timeline) periods() []keptPeriod {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]keptPeriod, 0, len(t.open)+len(t.records))
	for _, r := range t.records {
		all = append(all, keptPeriod{Period{Name: r.Period, Start: r.Start, End: r.End}, true})
	}
	for _, x := range t.open {
		if t.byName[x.Name] == nil {
			all = append(all, keptPeriod{x.Period, false})
		}
	}
	slices.SortFunc(all, func(a, b keptPeriod) int { return cmp.Compare(a.Start.UnixMicro(), b.Start.UnixMicro()) })
	return all
}

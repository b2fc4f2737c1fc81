package board

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/board/window"
)

// span is what a board knows of one of its windows. A period of it is closed like this: bar rises to its end, so that no transaction
// that looks from now on changes it; the locks of the sets up to there are waited for, so that those that have looked before are
// over; a commit says that it is closed; through rises. Whoever makes a set notes the period first and then looks, so its lock is
// waited for too.
type span struct {
	Window
	cal     *window.Calendar
	board   string
	version int
	best    string // the key of best ranks, which does not change with the version

	// through is when the last closed period ended, in microseconds after 1970. It never falls.
	through atomic.Int64
	bar     atomic.Int64         // what through is about to be; it falls back to through if the commit fails. Guarded by Board.closing
	last    atomic.Pointer[slot] // the one asked for last: most submissions belong to it
	due     atomic.Int64         // not after the time at which there is something to close or to drop

	mu     sync.Mutex
	open   map[string]*slot // those noted that are not closed: all that hold somebody are in it
	closed []*record        // in order of time
	byName map[string]*record
}

func newSpan(board string, w Window, version int) (*span, error) {
	cal, err := w.Calendar()
	if err != nil {
		return nil, err
	}
	s := &span{Window: w, cal: cal, board: board, version: version, open: map[string]*slot{}, byName: map[string]*record{}}
	s.best = Key{board, bestKind + w.Name, noPeriod, 1}.String()
	s.due.Store(math.MaxInt64)
	s.through.Store(math.MinInt64)
	s.bar.Store(math.MinInt64)
	return s, nil
}

// slot is a period, and what is to be known of it to change it. Times are microseconds after 1970.
type slot struct {
	Period
	key    string
	middle int64 // it is closed when the window is closed beyond this: clocks that a zone sets otherwise by then do not open it again
	closes int64 // math.MaxInt64: never by itself
	noted  atomic.Bool
}

// key returns the key of a period's ranking.
func (s *span) key(period string) string {
	return Key{s.board, s.Window.Name, period, s.version}.String()
}

// period returns the period that a time lies in. O(1). Errors: an *OutsideError, ErrTime.
func (s *span) period(t time.Time) (Period, error) {
	p, err := s.cal.At(t)
	if errors.Is(err, window.ErrTime) {
		err = fmt.Errorf("%w: %w", ErrTime, err)
	}
	if err != nil {
		return p, fmt.Errorf("%w: %q", err, s.board)
	}
	return p, nil
}

// at returns the slot of the period that a time lies in. O(1). Errors: those of period.
func (s *span) at(t time.Time) (*slot, error) {
	p, err := s.period(t)
	if err != nil {
		return nil, err
	}
	if x := s.last.Load(); x != nil && x.Name == p.Name {
		return x, nil
	}
	x := s.slot(p)
	s.last.Store(x)
	return x, nil
}

// slot returns the slot of a period.
func (s *span) slot(p Period) *slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.open[p.Name]; x != nil {
		return x
	}
	x := &slot{Period: p, key: s.key(p.Name), middle: math.MaxInt64, closes: math.MaxInt64}
	if !p.End.IsZero() {
		x.middle = p.Start.UnixMicro()/2 + p.End.UnixMicro()/2
	}
	if at, ok := s.cal.Closes(p); ok {
		x.closes = at.UnixMicro()
	}
	return x
}

// note has a period closed when its time is up, if it is not closed.
func (s *span) note(x *slot) {
	if x.noted.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed(x) || s.open[x.Name] != nil {
		return
	}
	x.noted.Store(true)
	s.open[x.Name] = x
	s.due.Store(min(s.due.Load(), x.closes))
}

// isClosed reports whether a commit has closed the period. All time has no end, and is never closed.
func (s *span) isClosed(x *slot) bool { return x.middle < s.through.Load() }

// takes reports whether a period takes results at a time.
func (s *span) takes(x *slot, now time.Time) bool {
	return x.middle >= s.bar.Load() && now.UnixMicro() < x.closes
}

// raise notes that the window is closed up to a time.
func (s *span) raise(through int64) {
	s.through.Store(max(through, s.through.Load()))
	s.bar.Store(max(through, s.bar.Load()))
}

// shut returns the error of a result for a period that is closed.
func (s *span) shut(x *slot, at, now time.Time) error {
	live := ""
	if p, err := s.cal.At(now); err == nil && p.Name != x.Name && s.takes(s.slot(p), now) {
		live = p.Name
	}
	return &PeriodClosedError{Board: s.board, Window: s.Window.Name, Period: x.Name, At: at, Live: live}
}

// done notes that a period is closed, and takes it out of those that are to be; and earlier ones that submissions have noted since,
// which were refused then: see Board.current.
func (s *span) done(x *slot, r *record) {
	if r.Members > 0 {
		s.addClosed(r)
	}
	s.raise(x.End.UnixMicro()) // before the period leaves open: see note
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.open, func(_ string, y *slot) bool { return s.isClosed(y) })
}

// addClosed notes a closed period. Its times are shown in the window's zone.
func (s *span) addClosed(r *record) {
	if p, err := s.cal.Parse(r.Period); err == nil {
		zone := p.Start.Location()
		r.Start, r.End, r.ClosedAt = r.Start.In(zone), r.End.In(zone), r.ClosedAt.In(zone)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byName[r.Period] != nil {
		return
	}
	i, _ := slices.BinarySearchFunc(s.closed, r, func(a, b *record) int { return a.Start.Compare(b.Start) })
	s.closed = slices.Insert(s.closed, i, r)
	s.byName[r.Period] = r
}

// dropped notes that a closed period is gone.
func (s *span) dropped(r *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = slices.DeleteFunc(s.closed, func(other *record) bool { return other == r })
	delete(s.byName, r.Period)
}

// surplus returns the oldest closed period if there are more than the window keeps, else nil.
func (s *span) surplus() *record {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Keep == 0 || len(s.closed) <= s.Keep {
		return nil
	}
	return s.closed[0]
}

// record returns what is known of a closed period, nil for one that is not, or held nobody.
func (s *span) record(period string) *record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byName[period]
}

// lastClosed returns the last closed period that held somebody, nil if there is none.
func (s *span) lastClosed() *record {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.closed) == 0 {
		return nil
	}
	return s.closed[len(s.closed)-1]
}

// slots returns the open periods in order of time.
func (s *span) slots() []*slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*slot, 0, len(s.open))
	for _, x := range s.open {
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b *slot) int { return a.Start.Compare(b.Start) })
	return all
}

// up returns the open periods whose time is up, in no order.
func (s *span) up(now int64) (up []*slot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.open {
		if x.closes <= now {
			up = append(up, x)
		}
	}
	return up
}

// plan notes when there is something to do next.
func (s *span) plan() {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := int64(math.MaxInt64)
	for _, x := range s.open {
		next = min(next, x.closes)
	}
	s.due.Store(next)
}

// keptPeriod is one that may hold somebody.
type keptPeriod struct {
	Period
	closed bool
}

// periods returns those that may hold somebody, in order of time.
func (s *span) periods() []keptPeriod {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]keptPeriod, 0, len(s.open)+len(s.closed))
	for _, r := range s.closed {
		all = append(all, keptPeriod{Period{Name: r.Period, Start: r.Start, End: r.End}, true})
	}
	for name, x := range s.open {
		if s.byName[name] == nil {
			all = append(all, keptPeriod{x.Period, false})
		}
	}
	slices.SortFunc(all, func(a, b keptPeriod) int { return cmp.Compare(a.Start.UnixMicro(), b.Start.UnixMicro()) })
	return all
}

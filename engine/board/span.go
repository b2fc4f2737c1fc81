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

// span is what a board knows of one of its windows. A period of it is closed like this: bar rises to its end, so that no transaction
// that looks from now on changes it; the locks of the sets up to there are waited for, so that those that have looked before are
// over; a commit says that it is closed; through rises. A transaction that makes a set notes the period first and then looks, so its lock is
// waited for too.
type span struct {
	Window
	cal     *window.Calendar
	board   string
	version int
	best    string // the key of best ranks, which does not change with the version

	// through is when the last closed period ended, in microseconds after 1970. It never falls.
	through atomic.Int64
	bar     atomic.Int64               // what through is about to be; it falls back to through if the commit fails. Guarded by Board.closing
	last    atomic.Pointer[slot]       // the one asked for last: most submissions belong to it
	live    atomic.Pointer[livePeriod] // that was live when a ranking of Board.Live was read last
	due     atomic.Int64               // not after the time at which there is something to close or to drop. Written under mu

	mu     sync.Mutex
	open   []*slot   // in order of time: those noted that are not closed. All that hold somebody are among them
	closed []*record // in order of time
	byName map[string]*record
}

func newSpan(board string, w Window, version int) (*span, error) {
	cal, err := w.Calendar()
	if err != nil {
		return nil, err
	}
	s := &span{Window: w, cal: cal, board: board, version: version, byName: map[string]*record{}}
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
	middle int64 // it is closed when the window is closed beyond this: a later change of time-zone rules cannot reopen it
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
	x := &slot{Period: p, key: s.key(p.Name), middle: math.MaxInt64, closes: math.MaxInt64}
	if !p.End.IsZero() {
		x.middle = p.Start.UnixMicro()/2 + p.End.UnixMicro()/2
	}
	if at, ok := s.cal.Closes(p); ok {
		x.closes = at.UnixMicro()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, open := s.index(x); open {
		return s.open[i]
	}
	return x
}

// index returns where a period stands, or would stand, among the open ones. The caller holds mu. O(log open periods).
func (s *span) index(x *slot) (i int, open bool) {
	return slices.BinarySearchFunc(s.open, x, func(a, b *slot) int { return cmp.Compare(a.middle, b.middle) })
}

// note has a period closed when its time is up, if it is not closed.
func (s *span) note(x *slot) {
	if x.noted.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i, open := s.index(x)
	if s.isClosed(x) {
		return
	}
	if x.noted.Store(true); !open {
		s.open = slices.Insert(s.open, i, x)
		s.due.Store(min(s.due.Load(), x.closes))
	}
}

// isClosed reports whether a commit has closed the period. All time has no end, and is never closed.
func (s *span) isClosed(x *slot) bool { return x.middle < s.through.Load() }

// takes reports whether a period takes results at a time.
func (s *span) takes(x *slot, now time.Time) bool {
	return x.middle >= s.bar.Load() && now.UnixMicro() < x.closes
}

// left reports whether another period than this one is live at a time.
func (s *span) left(x *slot, now time.Time) bool {
	live, err := s.cal.At(now)
	return err == nil && live.Name != x.Name
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
	closed := slices.IndexFunc(s.open, func(y *slot) bool { return !s.isClosed(y) })
	if closed < 0 {
		closed = len(s.open)
	}
	clear(s.open[:closed])
	s.open = s.open[closed:]
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
	delete(s.byName, r.Period)
	switch i := slices.Index(s.closed, r); {
	case i == 0: // most of the time
		s.closed[0] = nil
		s.closed = s.closed[1:]
	case i > 0:
		s.closed = slices.Delete(s.closed, i, i+1)
	}
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
	return slices.Clone(s.open)
}

// before returns the open periods that end up to a time, in order.
func (s *span) before(end int64) []*slot {
	return s.first(func(x *slot) bool { return x.middle < end })
}

// up returns the open periods whose time is up, in order.
func (s *span) up(now int64) []*slot { return s.first(func(x *slot) bool { return x.closes <= now }) }

// first returns the open periods up to the first that is not wanted. O(those).
func (s *span) first(wanted func(*slot) bool) (list []*slot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.open {
		if !wanted(x) {
			break
		}
		list = append(list, x)
	}
	return list
}

// dueNow notes that there is something to do at once.
func (s *span) dueNow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.due.Store(math.MinInt64)
}

// plan notes when there is something to do next.
func (s *span) plan() {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := int64(math.MaxInt64)
	if len(s.open) > 0 {
		next = s.open[0].closes
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
	for _, x := range s.open {
		if s.byName[x.Name] == nil {
			all = append(all, keptPeriod{x.Period, false})
		}
	}
	slices.SortFunc(all, func(a, b keptPeriod) int { return cmp.Compare(a.Start.UnixMicro(), b.Start.UnixMicro()) })
	return all
}

package board

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/engine/board/window"
)

// state is what a board is under one spec. It does not change, but for what its spans note; a migration makes another.
type state struct {
	name    string
	spec    Spec // defaults filled in
	version int
	rules   *rules.Rules
	form    engine.Form
	spans   []*span // parallel to spec.Windows
}

// newState compiles a valid spec.
func newState(spec Spec, version int) (*state, error) {
	r, err := rules.New(spec.Columns, spec.Op, spec.Ties)
	if err != nil {
		return nil, err
	}
	st := &state{name: spec.Name, spec: spec, version: version, rules: r}
	st.form = formOf(r)
	for _, w := range spec.Windows {
		cal, err := w.Calendar()
		if err != nil {
			return nil, err
		}
		s := &span{Window: w, cal: cal, board: spec.Name, version: version, open: map[string]*slot{}}
		s.due.Store(math.MaxInt64)
		s.through.Store(math.MinInt64)
		st.spans = append(st.spans, s)
	}
	return st, nil
}

// span returns a window by its name. Error: ErrNoWindow.
func (st *state) span(name string) (*span, error) {
	for _, s := range st.spans {
		if s.Window.Name == name {
			return s, nil
		}
	}
	names := make([]string, len(st.spans))
	for i, s := range st.spans {
		names[i] = s.Window.Name
	}
	return nil, fmt.Errorf("%w: %q has %s, not %q", ErrNoWindow, st.name, strings.Join(names, ","), name)
}

// span is what a board knows of one of its windows.
type span struct {
	Window
	cal     *window.Calendar
	board   string
	version int

	// through is when the last closed period ended, in microseconds after 1970. It rises under the lock of that period's set, and
	// falls back only if the commit that closes it fails.
	through atomic.Int64
	last    atomic.Pointer[slot] // the one asked for last: most submissions belong to it
	due     atomic.Int64         // not after the time at which the first of open is to be closed

	mu     sync.Mutex
	open   map[string]*slot // those asked for, or found by Open, that are not closed: all that hold somebody are in it
	closed []record         // in order of time
}

// slot is a period that is not closed, as far as the span knows.
type slot struct {
	Period
	key    string
	closes int64 // microseconds after 1970; math.MaxInt64: never by itself
}

// key returns the key of a period's ranking.
func (s *span) key(period string) string {
	return Key{s.board, s.Window.Name, period, s.version}.String()
}

// at returns the slot of the period that a time lies in. O(1). Error: an *OutsideError.
func (s *span) at(t time.Time) (*slot, error) {
	p, err := s.cal.At(t)
	if err != nil {
		return nil, err
	}
	if x := s.last.Load(); x != nil && x.Name == p.Name {
		return x, nil
	}
	x := s.note(p)
	s.last.Store(x)
	return x, nil
}

// note returns the slot of a period, and has it closed when its time is up.
func (s *span) note(p Period) *slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.open[p.Name]; x != nil {
		return x
	}
	x := &slot{Period: p, key: s.key(p.Name), closes: math.MaxInt64}
	if at, ok := s.cal.Closes(p); ok {
		x.closes = at.UnixMicro()
	}
	if !s.isClosed(x) {
		s.open[p.Name] = x
		s.due.Store(min(s.due.Load(), x.closes))
	}
	return x
}

// isClosed reports whether a commit has closed the period, or is about to. All time has no end, and is never closed.
func (s *span) isClosed(x *slot) bool {
	return s.through.Load() != math.MinInt64 && !x.End.IsZero() && x.End.UnixMicro() <= s.through.Load()
}

// takes reports whether a period takes results at a time.
func (s *span) takes(x *slot, now time.Time) bool {
	return !s.isClosed(x) && now.UnixMicro() < x.closes
}

// shut returns the error of a result for a period that is closed.
func (s *span) shut(x *slot, at, now time.Time) error {
	live := ""
	if p, err := s.cal.At(now); err == nil && p.Name != x.Name {
		live = p.Name
	}
	return &PeriodClosedError{Board: s.board, Window: s.Window.Name, Period: x.Name, At: at, Live: live}
}

// record is what is stored of a closed period.
type record struct {
	Period   string    `json:"period"`
	Start    time.Time `json:"start"`
	End      time.Time `json:"end"`
	ClosedAt time.Time `json:"closedAt"`
	Members  int       `json:"members"`
}

// addClosed notes a closed period.
func (s *span) addClosed(r record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, found := slices.BinarySearchFunc(s.closed, r, func(a, b record) int { return a.Start.Compare(b.Start) })
	if !found {
		s.closed = slices.Insert(s.closed, i, r)
	}
}

// record returns what is known of a closed period.
func (s *span) record(period string) (record, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.closed, func(r record) bool { return r.Period == period })
	if i < 0 {
		return record{}, false
	}
	return s.closed[i], true
}

// lastClosed returns the last closed period, and false if there is none.
func (s *span) lastClosed() (record, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.closed) == 0 {
		return record{}, false
	}
	return s.closed[len(s.closed)-1], true
}

// dueBy returns the slots whose time is up, in the order of time, and notes when the next one's will be.
func (s *span) dueBy(now int64) (up []*slot) {
	if s.due.Load() > now {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	next := int64(math.MaxInt64)
	for _, x := range s.open {
		if x.closes <= now {
			up = append(up, x)
		}
		next = min(next, x.closes)
	}
	s.due.Store(next)
	slices.SortFunc(up, func(a, b *slot) int { return cmp.Compare(a.End.UnixMicro(), b.End.UnixMicro()) })
	return up
}

// forget takes a period out of those that are to be closed.
func (s *span) forget(x *slot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, x.Name)
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

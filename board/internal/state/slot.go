package state

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/window"
)

// Slot is a period with the key of its set, and the times at which it closes. Times are microseconds after 1970.
type Slot struct {
	window.Period
	Key   string
	Parts *Parts // nil unless the board is in parts
	// middle is the middle of the period, which is closed if its window is closed beyond this time: a later change of time-zone rules moves the
	// end of a period, and must not reopen it.
	middle    int64
	CohortKey string        // of the set with its cohorts; "" unless the leagues of the board are of the window
	before    *Slot         // of leagues with a grace: the period before, without its sets; else nil
	Closes    int64         // when its time is up; math.MaxInt64: never
	Tail      *buckets.Tail // nil unless the window has Top
	noted     atomic.Bool   // NoteOpen has added the slot to the open ones
}

func newSlot(p window.Period, key string, parts *Parts, cal *window.Calendar) *Slot {
	slot := &Slot{Period: p, Key: key, Parts: parts, middle: math.MaxInt64, Closes: math.MaxInt64}
	if !p.End.IsZero() {
		slot.middle = middleOf(p.Start, p.End)
	}
	if at, ok := cal.Closes(p); ok {
		slot.Closes = at.UnixMicro()
	}
	return slot
}

func middleOf(start, end time.Time) int64 { return start.UnixMicro()/2 + end.UnixMicro()/2 }

// Middle returns the middle of the period: see Timeline.IsClosed.
func (s *Slot) Middle() int64 { return s.middle }

// LivePeriod is the live period with its ranking.
type LivePeriod struct {
	ranking.Subject
	of       any   // the *State whose ranking it is: a migration that rewrites no ranking leaves the Timeline as it is
	from, to int64 // in Unix seconds: [from, to)
}

// NewLivePeriod returns a period as the live one. of is the *State whose ranking it is.
func NewLivePeriod(of any, s ranking.Subject, p window.Period) *LivePeriod {
	l := &LivePeriod{Subject: s, of: of, from: math.MinInt64, to: math.MaxInt64}
	if !p.End.IsZero() {
		l.from, l.to = p.Start.Unix(), p.End.Unix()
	}
	return l
}

// IsOf reports whether the period, of a *State, is live at a time.
func (l *LivePeriod) IsOf(of any, t time.Time) bool {
	unix := t.Unix()
	return l.of == of && l.from <= unix && unix < l.to
}

// WaitForSteps waits for what moves entries of the ranking between sets.
func (s *Slot) WaitForSteps() {
	switch {
	case s.Parts != nil:
		s.Parts.WaitForSteps()
	case s.Tail != nil:
		s.Tail.WaitForSteps()
	}
}

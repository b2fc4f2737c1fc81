package window

import (
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board/internal/calendar"
)

// Kind says what the periods of a window are.
type Kind string

// The kinds; see the package's table.
const (
	All     Kind = "all"
	Hour    Kind = "hour"
	Day     Kind = "day"
	Week    Kind = "week"
	Month   Kind = "month"
	Year    Kind = "year"
	Every   Kind = "every"
	Seasons Kind = "seasons"
	Event   Kind = "event"
	Rolling Kind = "rolling"
)

var kinds = []Kind{All, Hour, Day, Week, Month, Year, Every, Seasons, Event, Rolling}

// MaxName is the length of the longest name of a window or a season, in bytes.
const MaxName = 64

// Window is one way to cut time. Its JSON is what spec files hold.
type Window struct {
	// Name is unique in its board: 1 to MaxName letters of a to z and A to Z, digits, '-' and '_'. "" means the kind.
	Name string `json:"name,omitempty"`
	// Kind says what the periods are.
	Kind Kind `json:"kind"`
	// TimeZone is a name of the IANA database, "Europe/Berlin". "" means UTC; "Local" is refused, as it differs from machine to
	// machine. The kinds all, rolling and every use it only to show times.
	TimeZone string `json:"zone,omitempty"`
	// Start is the first day of a week: Monday unless set.
	Start Weekday `json:"start,omitempty"`
	// Every is the length of a period of the kind every, in whole seconds, at least one. It is elapsed time: 24h is a day only where
	// the clocks do not shift.
	Every Duration `json:"every,omitempty"`
	// Anchor is the start of one period of the kind every, a whole second. There are periods before it too. The zero time means
	// 1970-01-01T00:00:00Z. Its JSON is that of a season's times.
	Anchor time.Time `json:"anchor,omitzero"`
	// Span is the length of a window of the kind rolling, in whole microseconds, at least one: the last three hours. A result leaves the ranking
	// when it is a Span old.
	Span Duration `json:"span,omitempty"`
	// Bucket is the width of the buckets of a window of the kind rolling, in whole microseconds, at most Span. Buckets follow each other from
	// 1970-01-01T00:00:00Z on, and a result leaves when the end of its bucket is a Span old. A member's results in one bucket take the space
	// of one. 0: there are no buckets.
	Bucket Duration `json:"bucket,omitempty"`
	// Seasons are the periods of the kind seasons, in order of time. An event has exactly one.
	Seasons []Season `json:"seasons,omitempty"`
	// Grace is for how long after its end a period still takes results that lie in it. Forever: until it is closed by hand.
	// It is a Duration, as Forever has a text of its own: ten minutes are window.Duration(10 * time.Minute).
	Grace Duration `json:"grace,omitempty"`
	// Keep is the number of closed periods that are kept. Older ones are dropped. 0 means that all are kept. Periods that had no members
	// do not count: a day that is kept may be older than Keep days.
	Keep int `json:"keep,omitempty"`
}

// Season is one period that a spec lists: [Start, End), whole seconds. In JSON its times are in RFC 3339 or civil times of the
// window's zone, "2026-11-21T00:00:00" or "2026-11-21"; a civil time stands for its first passage.
type Season struct {
	Name  string    `json:"name,omitempty"` // unique in its window, of the same letters as a window's; "" means "event", in an event only
	Start time.Time `json:"start"`          // its first moment
	End   time.Time `json:"end"`            // the first moment after it
}

// Period is one piece of time: [Start, End). The times are whole seconds in the window's zone.
type Period struct {
	Name  string    `json:"name"`  // unique in its window; see the package's table
	Start time.Time `json:"start"` // its first moment; the zero time in a window of the kinds all and rolling
	End   time.Time `json:"end"`   // the first moment after it; the zero time in a window of the kinds all and rolling
}

// Ends reports whether periods of the window end. Those of the kinds all and rolling do not. O(1).
func (w Window) Ends() bool { return w.Kind != All && w.Kind != Rolling }

// Leaves returns when a result of a time leaves a window of the kind rolling. Both are microseconds after 1970. O(1).
func (w Window) Leaves(at int64) int64 {
	if width := int64(w.Bucket) / int64(time.Microsecond); width > 0 {
		at = calendar.Floor(at, width) + width
	}
	return at + int64(w.Span)/int64(time.Microsecond)
}

// Label returns the window's name, or its kind if it has none. O(1).
func (w Window) Label() string {
	if w.Name != "" {
		return w.Name
	}
	return string(w.Kind)
}

// seasonLabel returns the name of a season of the window's.
func (w Window) seasonLabel(s Season) string {
	if s.Name == "" && w.Kind == Event {
		return string(Event)
	}
	return s.Name
}

// PeriodNameError says how the periods of a window are named. It wraps ErrPeriodName.
type PeriodNameError struct {
	Window string // the window's label
	Name   string // the wrong name
	Like   string // an example of a name, or all names of seasons
}

// Error names the window, the wrong name and an example of a right one.
func (e *PeriodNameError) Error() string {
	return fmt.Sprintf("%v: %s has no %q; its periods are named like %s", ErrPeriodName, e.Window, e.Name, e.Like)
}

// Unwrap returns ErrPeriodName.
func (e *PeriodNameError) Unwrap() error { return ErrPeriodName }

// OutsideError says between which seasons a moment lies. It wraps ErrOutside.
type OutsideError struct {
	Window string    `json:"window"`           // the window's label
	Time   time.Time `json:"time,omitzero"`    // the moment, in the window's zone
	Before *Period   `json:"before,omitempty"` // the season that ended last; nil if none has
	After  *Period   `json:"after,omitempty"`  // the season that begins next; nil if there is none
}

// Error names the moment and the seasons around it.
func (e *OutsideError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v of %s: %s", ErrOutside, e.Window, e.Time.Format(time.RFC3339))
	if e.Before != nil {
		fmt.Fprintf(&b, "; %s ended %s", e.Before.Name, e.Before.End.Format(time.RFC3339))
	}
	if e.After != nil {
		fmt.Fprintf(&b, "; %s begins %s", e.After.Name, e.After.Start.Format(time.RFC3339))
	}
	return b.String()
}

// Unwrap returns ErrOutside.
func (e *OutsideError) Unwrap() error { return ErrOutside }

package board

import (
	"cmp"
	"fmt"
)

// Feed makes a board write events, see "Feed". Top is the number of the first places of each window whose changes are events: 1 to MaxFeedTop, or -1 for
// none; 0: 10.
type Feed struct {
	// Top is the number of first places of each window whose changes are events: 1 to MaxFeedTop, or -1 for none. 0 means 10.
	Top int `json:"top,omitempty"`
}

// withTop returns a copy of Feed with its default filled in.
func (f *Feed) withTop() *Feed {
	if f == nil {
		return nil
	}
	return &Feed{cmp.Or(f.Top, defaultFeedTop)}
}

// Places returns the number of first places whose changes are events.
func (f *Feed) Places() int {
	if f == nil {
		return 0
	}
	return max(f.Top, 0)
}

// String returns "none", or what Top is.
func (f *Feed) String() string {
	switch {
	case f == nil:
		return "none"
	case f.Top < 0:
		return "without places"
	}
	return fmt.Sprintf("top %d", f.Top)
}

const (
	// MaxFeedTop is the most that Feed.Top may be.
	MaxFeedTop = 1000
	// defaultFeedTop is what Feed.Top means if it is zero.
	defaultFeedTop = 10
)

package commitlog

import (
	"sync/atomic"
	"time"
)

// lag measures the age of the oldest commit that is not durable. At Level Interval it makes Wait block once that age exceeds max. Two
// times are enough: one for the commits that the running flush will make durable, one for those after them. Log.mu guards it, except
// late.
type lag struct {
	max      time.Duration
	late     atomic.Bool // the oldest commit is older than max
	oldest   time.Time   // when the first commit after the last flush began was appended; zero: there is none
	flushing time.Time   // the same for the commits of the running flush
	round    time.Time   // when the committer's round began
	timer    *time.Timer // fires when the oldest commit reaches max; nil at other levels
	armed    bool        // the timer runs
}

// appended notes a commit. Under mu.
func (l *lag) appended() {
	if !l.oldest.IsZero() {
		return
	}
	l.oldest = time.Now()
	l.arm()
}

// taken notes that a flush of everything appended begins. Under mu.
func (l *lag) taken() {
	if !l.oldest.IsZero() && l.flushing.IsZero() {
		l.flushing = l.oldest
	}
	l.oldest = time.Time{}
}

// flushed notes that the flush is done. Under mu.
func (l *lag) flushed() {
	l.flushing = time.Time{}
	l.late.Store(l.timer != nil && l.overdue())
	l.arm()
}

// published notes that a snapshot was published, which makes durable all commits appended before the committer's round began. If all
// is true, every commit is durable. Under mu.
func (l *lag) published(all bool) {
	switch {
	case all:
		l.oldest = time.Time{}
	case !l.oldest.IsZero() && l.oldest.Before(l.round):
		l.oldest = l.round
	}
}

// first returns when the oldest commit that is not durable was appended; zero: there is none.
func (l *lag) first() time.Time {
	if l.flushing.IsZero() {
		return l.oldest
	}
	return l.flushing
}

func (l *lag) overdue() bool { return !l.first().IsZero() && time.Since(l.first()) >= l.max }

// arm starts the timer if a commit is not durable and the timer does not run. Under mu.
func (l *lag) arm() {
	if l.timer == nil || l.armed || l.late.Load() || l.first().IsZero() {
		return
	}
	l.armed = true
	l.timer.Reset(l.max - time.Since(l.first()))
}

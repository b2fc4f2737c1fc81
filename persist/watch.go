package persist

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/internal/seeded"
)

// The committer may be stuck in a write or a flush for as long as the disk likes. A goroutine beside it, the watchdog,
// looks at how long that has been, tells the operator, and sends those away who would otherwise wait. All times are
// monotonic: what the wall clock does has no effect.

// watch times the committer's calls to the disk. Two words of the committer's are all that a call costs.
type watch struct {
	epoch   time.Time
	slow    time.Duration
	timeout time.Duration

	// began is when the call that is under way began: nanoseconds after epoch, and 1; 0: there is none. The watchdog makes
	// it negative, under mu, when it has told somebody: then the call's end is news too.
	began atomic.Int64

	// pacing is the same for a snapshot that waits for Pebble to take in its pages, which may wait for the disk. It runs on from
	// one page to the next until Pebble has caught up, or the snapshot is over.
	pacing atomic.Int64

	told  bool // that it is slow; under mu
	stuck bool // it has taken timeout; under mu
}

func (w *watch) start() { w.began.Store(w.now()) }

// now is never 0.
func (w *watch) now() int64 { return int64(time.Since(w.epoch)) + 1 }

// age returns how long a call that began then has been under way.
func (w *watch) age(began int64) time.Duration {
	if began == 0 {
		return 0
	}
	return time.Since(w.epoch) - time.Duration(max(began, -began)-1)
}

// DiskWait returns how long the disk has been silent: somebody waits, the committer for a write or flush or a snapshot for those in
// Pebble's background, and none has ended meanwhile. 0: nobody waits. O(1).
func (s *Store) DiskWait() time.Duration {
	waited := max(s.watch.age(s.watch.began.Load()), s.watch.age(s.watch.pacing.Load()))
	return min(waited, s.fs.Quiet())
}

// timed runs one of the committer's calls to the disk under the eyes of the watchdog. Calls do not nest.
func (s *Store) timed(call func() error) error {
	s.watch.start()
	defer s.callEnded()
	return call()
}

// callEnded ends the call that watch.start began.
func (s *Store) callEnded() {
	began := s.watch.began.Swap(0)
	if began >= 0 {
		return
	}
	age := s.watch.age(began)
	s.mu.Lock()
	told, stuck := s.watch.told, s.watch.stuck
	s.watch.told, s.watch.stuck = false, false
	s.mu.Unlock()
	if stuck {
		s.tell(Event{Kind: EventStalled, Ended: true, Duration: age})
	}
	if told {
		s.tell(Event{Kind: EventSlowSync, Ended: true, Duration: age})
	}
}

// The watchdog looks four times in the shortest time it has to notice, within these bounds.
const (
	maxBeat = 250 * time.Millisecond
	minBeat = time.Millisecond
)

// watchdog runs until the files are closed.
func (s *Store) watchdog() {
	beat := min(s.watch.slow, s.watch.timeout) / 4
	t := time.NewTicker(min(max(beat, minBeat), maxBeat))
	defer t.Stop()
	for {
		select {
		case <-t.C:
			s.checkCall()
		case <-s.closed:
			return
		}
	}
}

// checkCall looks at the call that is under way.
func (s *Store) checkCall() {
	began := s.watch.began.Load()
	age := s.watch.age(began)
	if age < min(s.watch.slow, s.watch.timeout) || s.failure() != nil {
		return
	}
	s.mu.Lock()
	if began > 0 && !s.watch.began.CompareAndSwap(began, -began) || began < 0 && s.watch.began.Load() != began {
		s.mu.Unlock() // it has just ended
		return
	}
	told := age >= s.watch.slow && !s.watch.told
	stuck := age >= s.watch.timeout && !s.watch.stuck
	s.watch.told = s.watch.told || told
	if stuck {
		s.watch.stuck = true
		s.sendAway()
	}
	s.mu.Unlock()
	if told {
		s.tell(Event{Kind: EventSlowSync, Duration: age})
	}
	if stuck {
		s.tell(Event{Kind: EventStalled, Duration: age})
	}
}

// sendAway wakes everybody who waits for the committer, so that they look again. Under mu.
func (s *Store) sendAway() {
	s.turn.end()
	s.turn = newTurn()
	if s.inflight != nil {
		s.inflight.end()
		s.inflight = newTurn()
	}
}

// stalled returns ErrStalled while the disk does not answer. Under mu.
func (s *Store) stalled() error {
	if !s.watch.stuck {
		return nil
	}
	return fmt.Errorf("%w: one write or flush has taken %v", ErrStalled, s.watch.age(s.watch.began.Load()).Round(time.Millisecond))
}

// lag knows the age of the oldest commit that is not durable, and keeps the promise of Level Interval: the oldest commit that is not durable is no older than max, or Wait blocks. Two
// times are enough, one for the commits that the flush under way will make durable, one for those after them. mu guards it,
// but for late.
type lag struct {
	max      time.Duration
	late     atomic.Bool // the oldest commit is older than max
	oldest   time.Time   // when the first commit after the last flush began was appended; zero: there is none
	flushing time.Time   // the same for the commits of the flush under way
	round    time.Time   // when the committer's round began
	timer    *time.Timer // keeps the promise, and runs while there is an oldest commit; nil at other levels
	armed    bool
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

// published notes that a snapshot has made everything durable that had been appended when the round began that it was
// published in. Under mu.
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

// arm starts the timer if there is something to wait for and nobody does. Under mu.
func (l *lag) arm() {
	if l.timer == nil || l.armed || l.late.Load() || l.first().IsZero() {
		return
	}
	l.armed = true
	l.timer.Reset(l.max - time.Since(l.first()))
}

// lagTimer runs when a commit may have become too old. It holds back Wait, and asks for a flush.
func (s *Store) lagTimer() {
	if seeded.Bug("forget MaxLag") {
		return
	}
	s.mu.Lock()
	s.lag.armed = false
	late := s.lag.overdue()
	s.lag.late.Store(late)
	s.lag.arm()
	if late {
		s.barrier = max(s.barrier, s.last.Load())
	}
	s.mu.Unlock()
	if late {
		s.kick()
	}
}

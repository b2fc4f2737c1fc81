package commitlog

import (
	"time"

	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// The committer may be stuck in a write or a flush for as long as the disk takes. The watchdog, a goroutine beside it, reports
// that to the operator and wakes the callers that would otherwise wait. All times are monotonic.

// Bounds of the watchdog's polling interval, which is a quarter of the shortest timeout.
const (
	maxPoll = 250 * time.Millisecond
	minPoll = time.Millisecond
)

// watchdog runs until the files are closed.
func (l *Log) watchdog() {
	t := time.NewTicker(min(max(l.DB.PollInterval(), minPoll), maxPoll))
	defer t.Stop()
	for {
		select {
		case <-t.C:
			l.checkCall()
		case <-l.DB.Closed:
			return
		}
	}
}

// checkCall reports a slow or stalled call, and wakes the callers that wait for a stalled one.
func (l *Log) checkCall() {
	if l.DB.Failure() != nil {
		return
	}
	age, slow, stuck := l.DB.PollCall()
	if stuck {
		l.wakeWaiters()
	}
	if slow {
		l.DB.Report(pebbledb.Event{Kind: pebbledb.EventSlowSync, Duration: age})
	}
	if stuck {
		l.DB.Report(pebbledb.Event{Kind: pebbledb.EventStalled, Duration: age})
	}
}

// wakeWaiters ends the turns that callers wait for, so that they see the ErrStalled.
func (l *Log) wakeWaiters() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turn.end()
	l.turn = newTurn()
	if l.inflight != nil {
		l.inflight.end()
		l.inflight = newTurn()
	}
}

// lagTimer runs when a commit may have become too old. It holds back Wait, and asks for a flush.
func (l *Log) lagTimer() {
	l.mu.Lock()
	l.lag.armed = false
	late := l.lag.overdue()
	l.lag.late.Store(late)
	l.lag.arm()
	if late {
		l.flushTo = max(l.flushTo, l.Last.Load())
	}
	l.mu.Unlock()
	if late {
		l.wakeCommitter()
	}
}

// stopLagTimer stops the timer for good: until it fires, a timer keeps a closed log in memory.
func (l *Log) stopLagTimer() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lag.timer != nil {
		l.lag.timer.Stop()
		l.lag.timer = nil
	}
}

package commitlog

import (
	"time"

	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// The committer may be stuck in a write or a flush for as long as the disk takes. The watchdog, a goroutine beside it, reports
// that to the operator and wakes the callers that would otherwise wait. All times are monotonic.

// The watchdog looks four times in the shortest time it has to notice, within these bounds.
const (
	maxBeat = 250 * time.Millisecond
	minBeat = time.Millisecond
)

// watchdog runs until the files are closed.
func (l *Log) watchdog() {
	beat := l.DB.LookEvery()
	t := time.NewTicker(min(max(beat, minBeat), maxBeat))
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

// checkCall looks at the call that is under way.
func (l *Log) checkCall() {
	if l.DB.Failure() != nil {
		return
	}
	age, told, stuck := l.DB.Look()
	if stuck {
		l.sendAway()
	}
	if told {
		l.DB.Report(pebbledb.Event{Kind: pebbledb.EventSlowSync, Duration: age})
	}
	if stuck {
		l.DB.Report(pebbledb.Event{Kind: pebbledb.EventStalled, Duration: age})
	}
}

// sendAway wakes everybody who waits for the committer, so that they look again.
func (l *Log) sendAway() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turn.end()
	l.turn = newTurn()
	if l.inflight != nil {
		l.inflight.end()
		l.inflight = newTurn()
	}
}

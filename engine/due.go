package engine

import (
	"errors"
	"time"
)

// A snapshot is taken in the background when the log is longer than Options.SnapshotBytes and than half of what the last one
// has written, so that snapshots of a big engine that changes everywhere write two bytes of pages for one of log at most; and
// every Options.SnapshotAge, if anything is in the log.

const (
	retryFirst = time.Second // after a snapshot that failed; then twice as long each time, up to
	retryMost  = time.Minute
)

// longest returns up to where the log may grow.
func (e *Engine) longest() int64 { return max(e.snapshotBytes, e.lastWritten.Load()/2) }

// snapshotIfDue wakes the goroutine that takes snapshots when the log has become long.
func (e *Engine) snapshotIfDue() {
	if e.snapshotBytes > 0 && e.store.LogBytes() > e.longest() {
		select {
		case e.due <- struct{}{}:
		default:
		}
	}
}

// snapshotWhenDue takes snapshots until Close, or until the disk has failed.
func (e *Engine) snapshotWhenDue() {
	defer e.stopped.Done()
	ticks, stop := e.ages()
	defer stop()
	for {
		least := int64(0)
		select {
		case <-e.stop:
			return
		case <-e.due:
			least = e.longest()
		case <-ticks:
		}
		if e.store.LogBytes() > least && !e.snapshotAtLast() {
			return
		}
	}
}

// ages beats once a SnapshotAge.
func (e *Engine) ages() (<-chan time.Time, func()) {
	if e.snapshotBytes <= 0 || e.snapshotAge <= 0 {
		return nil, func() {}
	}
	t := time.NewTicker(e.snapshotAge)
	return t.C, t.Stop
}

// snapshotAtLast takes a snapshot, however often it takes; false: there will be none any more.
func (e *Engine) snapshotAtLast() bool {
	for pause := retryFirst; ; pause = min(2*pause, retryMost) {
		err := e.snapshot()
		if err == nil {
			return true
		}
		if errors.Is(err, ErrPersistence) {
			return false
		}
		select {
		case <-e.stop:
			return false
		case <-time.After(pause):
		}
	}
}

package commitlog

import (
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
)

// BeginSnapshot begins a snapshot that will cover the log up to commit upto, and returns its number. Only one runs at a time.
func (l *Log) BeginSnapshot(upto uint64) (number uint64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.DB.Refused(); err != nil {
		return 0, err
	}
	if l.running {
		return 0, errs.ErrSnapshotRunning
	}
	if last := l.Last.Load(); upto < l.current.Upto || upto > last {
		return 0, fmt.Errorf("persist: snapshot up to %d: the last one ends at %d, the log at %d", upto, l.current.Upto, last)
	}
	l.running = true
	return l.current.Snapshot + 1, nil
}

// EndSnapshot lets the next snapshot begin.
func (l *Log) EndSnapshot() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running = false
}

// Cut sets the start of the log in next, the pointer of a snapshot up to next.Upto: what Config.Retain keeps of the log stays. uncovered is the first
// commit of the first group that the snapshot does not cover. Committer goroutine only.
func (l *Log) Cut(next *format.Pointer) (uncovered uint64, err error) {
	next.Start, next.Chain, err = CutPointOf(l.DB, l.current, next.Upto)
	uncovered = next.Start
	if err != nil || l.retain == 0 {
		return uncovered, err
	}
	if from := max(l.committer.meter.Keep(l.retain), l.current.Start); from < next.Start {
		next.Start, next.Chain, err = CutPointOf(l.DB, l.current, from-1)
	}
	return uncovered, err
}

// DropRetained removes from the log what a snapshot covers and Config.Retain has kept. Errors: ErrPersistence, ErrClosed, ErrCorrupt. O(1).
func (l *Log) DropRetained() error {
	return l.Do(func() error {
		next := l.Pointer()
		start, chain, err := CutPointOf(l.DB, next, next.Upto)
		if err != nil || start == next.Start {
			return err
		}
		b := l.DB.Pebble.NewBatch()
		err = b.DeleteRange(format.KeyLog(next.Start), format.KeyLog(start), nil)
		next.Start, next.Chain = start, chain
		if err = errors.Join(err, b.Set(format.KeyCurrent, next.Encode(), nil)); err != nil {
			return errors.Join(err, b.Close())
		}
		if err := l.DB.Apply(b, true); err != nil {
			return err
		}
		return l.Published(next, start)
	})
}

// WrittenOut is called after a batch that is not flushed has written the pointer next, which leaves the log as it is. The next flush covers it.
// Committer goroutine only.
func (l *Log) WrittenOut(next format.Pointer) {
	l.committer.unflushed = true
	l.mu.Lock()
	defer l.mu.Unlock()
	l.current = next
}

// Published is called after a flushed batch has written the pointer next. That flush made everything applied durable. Published
// advances the high-water mark and cuts the meter at the new start of the log; uncovered is what Cut has returned. Committer goroutine only.
func (l *Log) Published(next format.Pointer, uncovered uint64) error {
	l.reached(l.applied.Load())
	if err := l.DB.Timed(func() error { return l.DB.Mark.Published(next, l.durable.Load(), l.committer.chain.Prev) }); err != nil {
		l.DB.Fail(err)
		return l.DB.Failure()
	}
	l.committer.unflushed = false
	l.committer.meter.Cut(next.Start, uncovered)
	l.logSize.Store(l.committer.meter.Size())
	l.mu.Lock()
	defer l.mu.Unlock()
	l.current = next
	l.lag.published(l.durable.Load() == l.Last.Load())
	return nil
}

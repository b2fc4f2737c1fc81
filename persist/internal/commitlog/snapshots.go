package commitlog

import (
	"fmt"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
)

// BeginSnapshot begins a snapshot that will cut the log after commit upto, and returns its number. Only one runs at a time.
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

// CutPoint is CutPointOf for this log. Committer goroutine only.
func (l *Log) CutPoint(upto uint64) (start uint64, prev uint32, err error) {
	return CutPointOf(l.DB, l.current, upto)
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
// advances the high-water mark and cuts the meter at the new start of the log. Committer goroutine only.
func (l *Log) Published(next format.Pointer) error {
	l.reached(l.applied.Load())
	if err := l.DB.Timed(func() error { return l.DB.Mark.Published(next, l.durable.Load(), l.committer.chain.Prev) }); err != nil {
		l.DB.Fail(err)
		return l.DB.Failure()
	}
	l.committer.unflushed = false
	l.committer.meter.Cut(next.Start)
	l.logSize.Store(l.committer.meter.Size())
	l.mu.Lock()
	defer l.mu.Unlock()
	l.current = next
	l.lag.published(l.durable.Load() == l.Last.Load())
	return nil
}

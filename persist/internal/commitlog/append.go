package commitlog

import (
	"fmt"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// Append gives the commit the next sequence number, 1, 2, ... without gaps, queues a copy of it and returns. It never
// waits for the disk: see Wait. Callers that hold the locks of what the batch changes get their order in the log. An empty
// batch is no commit: Append returns the last number. Errors: ErrTooLarge, ErrDiskFull, ErrStalled, ErrPersistence,
// ErrClosed; then nothing is queued. O(len).
func (l *Log) Append(b *format.Batch) (seq uint64, err error) {
	if format.SizeOfBatch(b) > format.MaxCommit {
		return 0, fmt.Errorf("%w: a commit of %d bytes, the limit is %d", errs.ErrTooLarge, format.SizeOfBatch(b), format.MaxCommit)
	}
	l.mu.Lock()
	seq, wake, err := l.append(b)
	l.mu.Unlock()
	if wake {
		l.wakeCommitter()
	}
	return seq, err
}

// append is Append under mu. If wake is true, the committer waits for this commit: the caller must wake it.
func (l *Log) append(b *format.Batch) (seq uint64, wake bool, err error) {
	if err := l.DB.Refused(); err != nil {
		return 0, false, err
	}
	seq = l.Last.Load()
	if b.Len() == 0 {
		return seq, false, nil
	}
	if err := l.refusedNow(b); err != nil {
		return 0, false, err
	}
	seq++
	wake = len(l.queue.Chunks) == 0 || seq == l.awaited
	l.queue.Add(seq, b)
	l.Queued.Add(int64(format.SizeOfBatch(b)))
	l.Last.Store(seq)
	l.lag.appended()
	return seq, wake, nil
}

// Refused returns why Append would refuse a commit now: ErrDiskFull, ErrStalled, ErrPersistence or ErrClosed; nil: it would not. O(1).
func (l *Log) Refused() error {
	if err := l.DB.Refused(); err != nil {
		return err
	}
	if err := l.DB.Full(false); err != nil {
		return err
	}
	return l.DB.Stalled()
}

// refusedNow returns the reason why the store takes no commit at present, or nil: the disk is full, or the commit would have to wait
// for a disk that does not answer. So the queue stays bounded while the disk does not answer. Under mu.
func (l *Log) refusedNow(b *format.Batch) error {
	if err := l.DB.Full(removes(b)); err != nil {
		return err
	}
	if l.wait || l.held() {
		return l.DB.Stalled()
	}
	return nil
}

// removes reports whether the commit may use the first quarter of the disk reserve. A commit that only removes may: a later snapshot
// frees the space.
func removes(b *format.Batch) bool {
	return format.OnlyRemoves(b) && format.SizeOfBatch(b) <= pebbledb.MaxRemoves
}

// held reports whether Wait holds commits back at Interval and None.
func (l *Log) held() bool { return l.lag.late.Load() || l.Queued.Load() > MaxQueued }

// wakeCommitter starts a round of the committer. It does not wait.
func (l *Log) wakeCommitter() {
	select {
	case l.wake <- struct{}{}:
	default: // a wake is pending
	}
}

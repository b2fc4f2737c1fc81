package commitlog

import (
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/persist/internal/errs"
)

// CloseTimeout is how long Close waits without progress: the disk does not answer, or an iteration does not end. Builds with
// invariant checks are ten times slower.
var CloseTimeout = map[bool]time.Duration{false: 4 * time.Second, true: 40 * time.Second}[invariants.Enabled]

// Close makes everything appended durable and closes the database. It ends running iterations with ErrClosed and waits for them and
// for the disk. If no write or flush ends for CloseTimeout, Close returns an error; the files are then closed when the last call
// ends. After a failed disk Close returns the same ErrPersistence as the commits. The second call returns nil.
func (l *Log) Close() error {
	if l.DB.BeginClose() {
		return nil
	}
	l.tail.wake()
	l.wakeCommitter()
	go func() {
		<-l.DB.Gone
		l.stopLagTimer()
		l.DB.Release()
	}()
	if l.awaitClosed() {
		return errors.Join(l.DB.Failure(), l.DB.Result)
	}
	close(l.DB.Abandoned)
	return l.unclosed()
}

// awaitClosed waits for the files to be closed; false: the disk has done nothing for CloseTimeout.
func (l *Log) awaitClosed() bool {
	began := time.Now()
	t := time.NewTicker(CloseTimeout / 8)
	defer t.Stop()
	for {
		select {
		case <-l.DB.Closed:
			return true
		case <-t.C:
		}
		if min(time.Since(began), l.DB.FS.Quiet()) >= CloseTimeout {
			return false
		}
	}
}

// unclosed says why the files are still open.
func (l *Log) unclosed() error {
	select {
	case <-l.DB.Gone:
		return errors.Join(fmt.Errorf("persist: close %s: an iteration is still running, or the disk does not answer", l.DB.Dir), l.DB.Failure())
	default:
		return errors.Join(fmt.Errorf("%w: close %s: what is not durable may be lost", errs.ErrStalled, l.DB.Dir), l.DB.Failure())
	}
}

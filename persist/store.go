package persist

import (
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/internal/invariants"
)

// Store is an open store. All its methods may be called from any goroutine.
type Store struct {
	*Log
	recovery Recovery
}

// closePatience is how long Close waits while the disk does nothing: it does not answer, or an iteration does not end. Builds that
// check everything are ten times slower.
var closePatience = map[bool]time.Duration{false: 4 * time.Second, true: 40 * time.Second}[invariants.Enabled]

// Close makes everything appended durable, at any level, and closes the store. It ends running iterations with ErrClosed
// and waits for them and for the disk. When no write or flush has ended for 4 s it returns an error, and the files are closed when
// the last user leaves. After a failed disk it returns the ErrPersistence that the commits were answered. The second call returns nil.
func (s *Store) Close() error {
	if s.beginClose() {
		return nil
	}
	s.tail.wake()
	s.kick()
	go func() {
		<-s.gone
		s.release()
	}()
	if s.awaitClosed() {
		return errors.Join(s.failure(), s.result)
	}
	close(s.abandoned)
	return s.unclosed()
}

// awaitClosed waits for the files to be closed; false: the disk has done nothing for closePatience.
func (s *Store) awaitClosed() bool {
	began := time.Now()
	t := time.NewTicker(closePatience / 8)
	defer t.Stop()
	for {
		select {
		case <-s.closed:
			return true
		case <-t.C:
		}
		if min(time.Since(began), s.fs.Quiet()) >= closePatience {
			return false
		}
	}
}

// unclosed says why the files are still open.
func (s *Store) unclosed() error {
	select {
	case <-s.gone:
		return errors.Join(fmt.Errorf("persist: close %s: an iteration is still running, or the disk does not answer", s.dir), s.failure())
	default:
		return errors.Join(fmt.Errorf("%w: close %s: what is not durable may be lost", ErrStalled, s.dir), s.failure())
	}
}

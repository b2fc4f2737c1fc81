package persist

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/persist/internal/failstop"
)

// Store is an open store. All its methods may be called from any goroutine.
type Store struct {
	dir      string
	fs       *failstop.FS
	level    Level
	interval time.Duration
	log      *slog.Logger

	mustExist bool // Options.MustExist
	recovery  Recovery
	mark      *highWater

	tune   func(*pebble.Options) // tests only: smaller tables
	id     storeID
	opened uint64 // last number when Open returned
	db     *pebble.DB
	lock   io.Closer

	last    atomic.Uint64 // last number given out; written under mu
	applied atomic.Uint64 // last commit in Pebble; written by the committer
	durable atomic.Uint64 // last commit flushed; written by the committer; <= applied (P2)
	queued  atomic.Int64  // bytes appended and not yet in Pebble; written under mu
	logSize atomic.Int64  // bytes of the groups that are kept; written by the committer

	waits  atomic.Uint64 // times that Wait has waited
	waited atomic.Int64  // how long, in nanoseconds

	// mu guards the queue and the life of the store. It is never held while Pebble is called, so that Pebble may report
	// a failure from wherever it is.
	mu         sync.Mutex
	queue      queue
	turn       *turn // ends when the committer has dealt with what is queued now
	inflight   *turn // ends when the committer has dealt with what it holds; nil: it holds nothing
	taken      uint64
	takenFlush bool   // inflight makes everything up to taken durable
	barrier    uint64 // commits up to here are to be flushed whatever the level
	jobs       []*job
	running    bool    // a snapshot is
	current    pointer // m/current as last written
	refs       int     // users of db: the store itself, and each running read
	closing    bool
	broken     error // the latch: what every commit is answered after the first failure

	tail   tail
	watch  watch
	lag    lag
	damage atomic.Pointer[error] // that Pebble has found in the background, last
	space  space
	events notifier

	wake      chan struct{} // capacity 1: something is queued
	failed    chan struct{} // closed by the latch
	gone      chan struct{} // closed when the committer has ended
	closed    chan struct{} // closed when the files are closed
	abandoned chan struct{} // closed when Close has given up waiting
	result    error         // of closing them; read after closed

	committer committer // the committer's own state
	batches   uint64    // number of the last batch; the committer's
}

// LastSeq returns the number of the last commit that was appended; 0 is none. O(1).
func (s *Store) LastSeq() uint64 { return s.last.Load() }

// AppliedSeq returns the number of the last commit whose private keys Private and ScanPrivate see. O(1).
func (s *Store) AppliedSeq() uint64 { return s.applied.Load() }

// DurableSeq returns the number of the last commit that is known to be on the disk. O(1).
func (s *Store) DurableSeq() uint64 { return s.durable.Load() }

// LogBytes returns the size of the log since the last truncation, in bytes, to within 64 KiB after a truncation: what the
// next Open has to read, and so the sign that a snapshot is due. O(1).
func (s *Store) LogBytes() int64 { return s.logSize.Load() }

// DiskUsage returns the bytes that the store takes on the disk, space that Pebble is about to give back included. O(files).
func (s *Store) DiskUsage() (int64, error) {
	if err := s.acquire(); err != nil {
		return 0, err
	}
	defer s.release()
	return int64(s.db.Metrics().DiskSpaceUsage()), nil
}

// pointer returns m/current as last written.
func (s *Store) pointer() pointer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// acquire keeps Pebble open until release. A Close in the meantime takes effect at once for every new call, and closes the
// files when the last user has left.
func (s *Store) acquire() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return ErrClosed
	}
	s.refs++
	return nil
}

func (s *Store) release() {
	s.mu.Lock()
	s.refs--
	last := s.refs == 0
	s.mu.Unlock()
	if last {
		go s.closeFiles()
	}
}

// isClosing tells a running read to stop.
func (s *Store) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// closePatience is how long Close waits while the disk does nothing: it does not answer, or an iteration does not end. Builds that
// check everything are ten times slower.
var closePatience = map[bool]time.Duration{false: 4 * time.Second, true: 40 * time.Second}[invariants.Enabled]

// Close makes everything appended durable, at any level, and closes the store. It ends running iterations with ErrClosed
// and waits for them and for the disk. When no write or flush has ended for 4 s it returns an error, and the files are closed when
// the last user leaves. After a failed disk it returns the ErrPersistence that the commits were answered. The second call returns nil.
func (s *Store) Close() error {
	s.mu.Lock()
	again := s.closing
	s.closing = true
	s.mu.Unlock()
	if again {
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

// closeFiles closes Pebble and gives the directory back, even when Pebble ends the goroutine on the way.
func (s *Store) closeFiles() {
	defer close(s.closed)
	if s.lag.timer != nil {
		s.lag.timer.Stop()
	}
	defer func() { s.result = errors.Join(s.result, s.lock.Close()) }()
	defer s.catch()
	s.mark.stop()
	if err := s.db.Close(); err != nil && s.failure() == nil {
		s.result = fmt.Errorf("persist: close %s: %w", s.dir, err)
	}
	s.result = errors.Join(s.result, s.mark.close(s.failure() == nil && s.result == nil))
}

// fail is the latch: the first failure decides what every commit from now on is answered, freezes the files, and wakes who
// waits.
func (s *Store) fail(cause error) {
	s.mu.Lock()
	first := s.broken == nil
	if first {
		s.broken = fmt.Errorf("%w: %w", ErrPersistence, cause)
		close(s.failed)
		s.turn.end()
		s.inflight.end()
	}
	broken := s.broken
	s.mu.Unlock()
	if first {
		s.fs.Fail(cause)
		s.tail.wake()
		s.tell(Event{Kind: EventFailed, Err: broken})
	}
}

// reached notes that commits up to seq are durable.
func (s *Store) reached(seq uint64) {
	s.durable.Store(seq)
	s.tail.reach(seq)
}

// failure returns what the latch holds; nil: all is well.
func (s *Store) failure() error {
	select {
	case <-s.failed:
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.broken
	default:
		return nil
	}
}

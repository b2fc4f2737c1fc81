package persist

import (
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/internal/seeded"
)

// The committer is the one goroutine that writes to Pebble. Each round it takes everything queued, writes it as few
// groups, flushes if somebody is to be told so, wakes those who wait, and then runs the jobs of the snapshot.

// committer is the state that only the committer goroutine touches, once it runs.
type committer struct {
	chain chain // where the log ends
	meter meter
}

// work is what the committer takes in one round.
type work struct {
	chunks []*chunk
	jobs   []*job
	last   uint64 // the last commit in chunks, or before them
	bytes  int64  // of chunks, as counted by Append
	flush  bool   // commits up to last are to be durable at the end
	stop   bool   // the store is closing: this is the last round
}

// job is work that must go through the committer, behind all commits appended before it.
type job struct {
	run  func() error
	done chan error // capacity 1
}

var errCommitterEnded = errors.New("the committer has ended")

// commitLoop runs until Close or the first failure. Pebble may end the goroutine: see pebbleLogger.Fatalf.
func (s *Store) commitLoop() {
	defer close(s.gone)
	stopped := false
	defer func() {
		if !stopped {
			s.fail(errCommitterEnded)
		}
	}()
	defer s.catch()
	ticks, stop := s.ticker()
	defer stop()
	for !stopped {
		due := false
		select {
		case <-s.wake:
			due = s.gather(ticks)
		case <-ticks:
			due = true
		}
		w := s.take(due)
		if err := s.round(w); err != nil {
			s.fail(err)
			return
		}
		stopped = w.stop
	}
}

// ticker beats once an interval at Level Interval, and never at the others.
func (s *Store) ticker() (<-chan time.Time, func()) {
	if s.level != Interval {
		return nil, func() {}
	}
	t := time.NewTicker(s.interval)
	return t.C, t.Stop
}

// gatherFor is how long commits that nobody waits for are gathered before they are written. A round costs as much as many commits,
// and takes the processor from those who make them: with clients that wait for each answer, writing at once halves their number.
const gatherFor = time.Millisecond

// gather lets more commits come, where nobody waits for those that are there: at Interval and None. Only who wants something done
// kicks meanwhile, for the queue is not empty. It reports whether the interval is over.
func (s *Store) gather(ticks <-chan time.Time) (due bool) {
	if s.level == Sync || s.pressing() {
		return false
	}
	t := time.NewTimer(gatherFor)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.wake:
	case <-ticks:
		return true
	}
	return false
}

// pressing reports whether somebody waits for the next round.
func (s *Store) pressing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing || len(s.jobs) > 0 || s.barrier > s.durable.Load() || s.held()
}

// take empties the queue. Who waits for it is from now on in the turn inflight.
func (s *Store) take(due bool) *work {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := &work{
		chunks: s.queue.chunks,
		jobs:   s.jobs,
		last:   s.last.Load(),
		bytes:  s.queued.Load(), // nothing else is in flight
		stop:   s.closing,
	}
	w.flush = due || w.stop || s.level == Sync || s.barrier > s.durable.Load()
	s.queue.chunks, s.jobs = nil, nil
	s.inflight, s.turn, s.taken, s.takenFlush = s.turn, newTurn(), w.last, w.flush
	if s.lag.round = time.Now(); w.flush {
		s.lag.taken()
	}
	return w
}

// round does the work. A failure ends it where it is; the latch answers those who wait.
func (s *Store) round(w *work) error {
	if err := s.write(w); err != nil {
		return err
	}
	s.settle(w)
	for _, j := range w.jobs {
		j.done <- j.run()
		if err := s.failure(); err != nil {
			return err
		}
	}
	return nil
}

// write writes the chunks, and flushes them with the last one.
func (s *Store) write(w *work) error {
	if seeded.Bug("publish durable early") && w.flush {
		s.durable.Store(w.last)
	}
	for i, c := range w.chunks {
		b, err := s.encode(c)
		if err != nil {
			return err
		}
		if err := s.apply(b, w.flush && i == len(w.chunks)-1 && !seeded.Bug("ack before sync")); err != nil {
			return err
		}
		s.tail.keepGroup(c)
		s.applied.Store(c.first + uint64(c.commits) - 1)
		if seeded.Bug("HWM ahead of the sync") {
			s.mark.advance(s.applied.Load(), s.committer.chain.prev)
		}
	}
	if !w.flush || s.durable.Load() == w.last {
		return nil
	}
	if len(w.chunks) == 0 {
		if err := s.flushApplied(); err != nil {
			return err
		}
	}
	s.reached(w.last)
	s.mark.advance(w.last, s.committer.chain.prev)
	return nil
}

// flushApplied flushes what was applied without a flush: a batch that writes nothing, and waits.
func (s *Store) flushApplied() error {
	b := s.db.NewBatch()
	if err := b.LogData(nil, nil); err != nil {
		return err
	}
	return s.apply(b, true)
}

// encode makes one Pebble batch of a chunk: the group, and the private keys of its commits.
func (s *Store) encode(c *chunk) (*pebble.Batch, error) {
	g := group{
		first:   c.first,
		commits: c.commits,
		durable: s.durable.Load(),
		millis:  uint64(time.Now().UnixMilli()),
		store:   s.committer.chain.store,
		prev:    s.committer.chain.prev,
	}
	value, crc := g.seal(c.log)
	c.log = value
	if err := s.committer.chain.step(g, crc); err != nil {
		return nil, fmt.Errorf("persist: bug in the queue: %w", err)
	}
	b := s.db.NewBatchWithSize(len(value) + 2*len(c.private) + 128)
	if err := b.Set(keyLog(c.first), value, nil); err != nil {
		return nil, err
	}
	private := b
	if seeded.Bug("half a batch") {
		private = s.db.NewBatch()
		defer func() { _ = s.apply(private, true) }()
	}
	put := func(k, v []byte) { _ = private.Set(keyPrivate(k), v, nil) } // fails only on an indexed batch
	del := func(k []byte) { _ = private.Delete(keyPrivate(k), nil) }
	if err := eachPrivate(c.private, put, del); err != nil {
		return nil, err
	}
	s.committer.meter.add(c.first, len(value))
	s.logSize.Store(s.committer.meter.size())
	return b, nil
}

// settle gives the chunks back and wakes those who waited for this round.
func (s *Store) settle(w *work) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range w.chunks {
		s.queue.recycle(c)
	}
	s.queued.Add(-w.bytes)
	if w.flush {
		s.lag.flushed()
	}
	s.inflight.end()
	s.inflight = nil
}

// do runs f in the committer, after everything appended so far is in Pebble, and returns its error.
func (s *Store) do(f func() error) error {
	j := &job{run: f, done: make(chan error, 1)}
	s.mu.Lock()
	if err := s.refused(); err != nil {
		s.mu.Unlock()
		return err
	}
	s.jobs = append(s.jobs, j)
	s.mu.Unlock()
	s.kick()
	select {
	case err := <-j.done:
		return err
	case <-s.failed:
		return s.failure()
	case <-s.abandoned:
		return ErrClosed
	}
}

package commitlog

import (
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
)

// The committer is the one goroutine that writes to Pebble. Each round it takes everything queued, writes it as few
// groups, flushes where a caller waits for that, wakes the callers, and then runs the jobs of the snapshot.

// committer is the state that only the committer goroutine touches, once it runs.
type committer struct {
	chain format.Chain // where the log ends
	meter Meter
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

// commitLoop runs until Close or the first failure. Pebble may end the goroutine: see pebbledb.Logger.Fatalf.
func (l *Log) commitLoop() {
	defer close(l.DB.Gone)
	stopped := false
	defer func() {
		if !stopped {
			l.DB.Fail(errCommitterEnded)
		}
	}()
	defer l.DB.Catch()
	ticks, stop := l.ticker()
	defer stop()
	for !stopped {
		due := false
		select {
		case <-l.wake:
			due = l.gather(ticks)
		case <-ticks:
			due = true
		}
		w := l.take(due)
		if err := l.round(w); err != nil {
			l.DB.Fail(err)
			return
		}
		stopped = w.stop
	}
}

// ticker ticks once an interval, and never without one.
func (l *Log) ticker() (<-chan time.Time, func()) {
	if l.interval == 0 {
		return nil, func() {}
	}
	t := time.NewTicker(l.interval)
	return t.C, t.Stop
}

// GatherTime is how long the committer lets commits collect that no caller waits for. A round costs as much as many commits, and
// takes the processor from the callers: with clients that wait for each answer, writing at once halves their throughput.
const GatherTime = time.Millisecond

// gather lets more commits collect at levels that do not wait for the disk. Append does not wake the committer while the queue is not
// empty; a wake here is a flush, a job or Close. It reports whether the interval is over.
func (l *Log) gather(ticks <-chan time.Time) (due bool) {
	if l.wait || l.urgent() {
		return false
	}
	t := time.NewTimer(GatherTime)
	defer t.Stop()
	select {
	case <-t.C:
	case <-l.wake:
	case <-ticks:
		return true
	}
	return false
}

// urgent reports whether a caller waits for the next round.
func (l *Log) urgent() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.DB.IsClosing() || len(l.jobs) > 0 || l.flushTo > l.durable.Load() || l.held()
}

// take empties the queue. The turn of its waiters becomes inflight.
func (l *Log) take(due bool) *work {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := &work{
		chunks: l.queue.Chunks,
		jobs:   l.jobs,
		last:   l.Last.Load(),
		bytes:  l.Queued.Load(), // nothing else is in flight
		stop:   l.DB.IsClosing(),
	}
	w.flush = due || w.stop || l.wait || l.flushTo > l.durable.Load()
	l.queue.Chunks, l.jobs = nil, nil
	l.inflight, l.turn, l.taken, l.takenFlush = l.turn, newTurn(), w.last, w.flush
	if l.lag.round = time.Now(); w.flush {
		l.lag.taken()
	}
	return w
}

// round does the work. A failure ends it at once; the latch answers the waiters.
func (l *Log) round(w *work) error {
	if err := l.write(w); err != nil {
		return err
	}
	l.endRound(w)
	for _, j := range w.jobs {
		j.done <- j.run()
		if err := l.DB.Failure(); err != nil {
			return err
		}
	}
	return nil
}

// write writes the chunks, and flushes them with the last one.
func (l *Log) write(w *work) error {
	for i, c := range w.chunks {
		b, err := l.encode(c)
		if err != nil {
			return err
		}
		if err := l.DB.Apply(b, w.flush && i == len(w.chunks)-1); err != nil {
			return err
		}
		l.tail.keepGroup(c)
		l.applied.Store(c.first + uint64(c.commits) - 1)
	}
	if !w.flush || l.durable.Load() == w.last {
		return nil
	}
	if len(w.chunks) == 0 {
		if err := l.flushApplied(); err != nil {
			return err
		}
	}
	l.reached(w.last)
	l.DB.Mark.Advance(w.last, l.committer.chain.Prev)
	return nil
}

// flushApplied flushes what was applied without a flush: a batch that writes nothing, and waits.
func (l *Log) flushApplied() error {
	b := l.DB.Pebble.NewBatch()
	if err := b.LogData(nil, nil); err != nil {
		return err
	}
	return l.DB.Apply(b, true)
}

// encode makes one Pebble batch of a chunk: the group, and the private keys of its commits.
func (l *Log) encode(c *chunk) (*pebble.Batch, error) {
	g := format.Group{
		First:   c.first,
		Commits: c.commits,
		Durable: l.durable.Load(),
		Millis:  uint64(time.Now().UnixMilli()),
		Store:   l.committer.chain.Store,
		Prev:    l.committer.chain.Prev,
	}
	value, crc := g.Seal(c.log)
	c.log = value
	if err := l.committer.chain.Step(g, crc); err != nil {
		return nil, fmt.Errorf("persist: bug in the queue: %w", err)
	}
	b := l.DB.Pebble.NewBatchWithSize(len(value) + 2*len(c.private) + 128)
	if err := b.Set(format.KeyLog(c.first), value, nil); err != nil {
		return nil, err
	}
	private := b
	put := func(k, v []byte) { _ = private.Set(format.KeyPrivate(k), v, nil) } // fails only on an indexed batch
	del := func(k []byte) { _ = private.Delete(format.KeyPrivate(k), nil) }
	if err := format.EachPrivate(c.private, put, del); err != nil {
		return nil, err
	}
	l.committer.meter.Add(c.first, len(value))
	l.logSize.Store(l.committer.meter.Size())
	return b, nil
}

// endRound recycles the chunks and wakes the callers that waited for this round.
func (l *Log) endRound(w *work) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range w.chunks {
		l.queue.recycle(c)
	}
	l.Queued.Add(-w.bytes)
	if w.flush {
		l.lag.flushed()
	}
	l.inflight.end()
	l.inflight = nil
}

// Do runs f in the committer, after everything appended so far is in Pebble, and returns its error.
func (l *Log) Do(f func() error) error {
	j := &job{run: f, done: make(chan error, 1)}
	l.mu.Lock()
	if err := l.DB.Refused(); err != nil {
		l.mu.Unlock()
		return err
	}
	l.jobs = append(l.jobs, j)
	l.mu.Unlock()
	l.wakeCommitter()
	select {
	case err := <-j.done:
		return err
	case <-l.DB.Failed:
		return l.DB.Failure()
	case <-l.DB.Abandoned:
		return errs.ErrClosed
	}
}

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

// work is what the committer takes in one round.
type work struct {
	chunks []*chunk
	jobs   []*job
	last   uint64 // the last commit in chunks; without chunks, the last one written
	bytes  int64  // of chunks, as counted by Append
	flush  bool   // the round makes commits up to last durable
	stop   bool   // the store is closing: this is the last round
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

// ticker returns a channel that ticks once an interval, and a function that stops it. Without an interval the channel never ticks.
func (l *Log) ticker() (<-chan time.Time, func()) {
	if l.interval == 0 {
		return nil, func() {}
	}
	t := time.NewTicker(l.interval)
	return t.C, t.Stop
}

// take empties the queue into a round's work. The current turn becomes inflight, and a new turn begins.
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
	if n := w.last - l.taken; n > 0 {
		l.committer.took = n
	}
	l.queue.Chunks, l.jobs = nil, nil
	l.inflight, l.turn, l.taken, l.takenFlush = l.turn, newTurn(), w.last, w.flush
	if l.lag.round = time.Now(); w.flush {
		l.lag.taken()
	}
	return w
}

// round writes the chunks, wakes their waiters and runs the jobs. It stops at a failure of the store; the latch then wakes the waiters.
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
	if w.stop && l.committer.unflushed {
		return l.flushPointer()
	}
	return nil
}

// flushPointer flushes a pointer that no commit has followed, since the mark of a clean Close names it. Every commit is durable.
func (l *Log) flushPointer() error {
	if err := l.flushApplied(); err != nil {
		return err
	}
	l.committer.unflushed = false
	l.DB.Mark.Advance(l.durable.Load(), l.committer.chain.Prev, l.current.Snapshot)
	return nil
}

// write applies the chunks to Pebble, one batch each. If the round flushes, the last batch flushes them all, and write advances the
// durable commit and the high-water mark.
func (l *Log) write(w *work) error {
	for i, c := range w.chunks {
		b, err := l.encode(c)
		if err != nil {
			return err
		}
		began := time.Now()
		if err := l.DB.Apply(b, w.flush && i == len(w.chunks)-1); err != nil {
			return err
		}
		l.committer.flush = time.Since(began) // of the last chunk in the end
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
	l.committer.unflushed = false
	l.DB.Mark.Advance(w.last, l.committer.chain.Prev, l.current.Snapshot)
	return nil
}

// flushApplied flushes batches that were applied without a flush. It applies an empty batch with a flush.
func (l *Log) flushApplied() error {
	b := l.DB.Pebble.NewBatch()
	if err := b.LogData(nil, nil); err != nil {
		return err
	}
	return l.DB.Apply(b, true)
}

// encode seals a chunk as a group, and makes one Pebble batch of the group and the private keys of its commits.
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
	l.committer.expected = l.committer.took + l.Last.Load() - l.taken
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

package commitlog

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

const (
	// GroupSize is where a group is cut. A larger commit is a group of its own.
	GroupSize = 256 << 10
	// MaxQueued is the size of the queue, in bytes, above which Wait blocks at levels that do not wait for the disk.
	MaxQueued = 8 << 20
)

// chunk is a group in the making: its commits, with room for the header before them.
type chunk struct {
	first   uint64
	commits uint32
	log     []byte
	private []byte // as in Batch, the commits' lists one after the other
}

func (c *chunk) size() int { return len(c.log) - format.GroupHeader + len(c.private) }

// queue holds what is appended and not yet taken by the committer, and two used chunks for their memory.
type queue struct {
	Chunks []*chunk
	spare  []*chunk
}

// Add encodes a commit behind the last one.
func (q *queue) Add(seq uint64, b *format.Batch) {
	c := q.chunkFor(seq, format.SizeOfBatch(b))
	c.commits++
	c.log = format.AppendBytes(c.log, format.CommitBody(b))
	c.private = format.AppendPrivate(c.private, b)
}

// chunkFor returns the last chunk, or a new one when that would grow beyond GroupSize.
func (q *queue) chunkFor(seq uint64, size int) *chunk {
	if n := len(q.Chunks); n > 0 && q.Chunks[n-1].size()+size <= GroupSize {
		return q.Chunks[n-1]
	}
	c := &chunk{}
	if n := len(q.spare); n > 0 {
		c, q.spare = q.spare[n-1], q.spare[:n-1]
	}
	if cap(c.log) < format.GroupHeader {
		c.log = make([]byte, format.GroupHeader, 4<<10)
	}
	c.first, c.commits, c.log, c.private = seq, 0, c.log[:format.GroupHeader], c.private[:0]
	q.Chunks = append(q.Chunks, c)
	return c
}

// recycle keeps the memory of a written chunk, unless it was for one huge commit.
func (q *queue) recycle(c *chunk) {
	if len(q.spare) < 2 && cap(c.log)+cap(c.private) <= 4*GroupSize {
		q.spare = append(q.spare, c)
	}
}

// Append gives the commit the next sequence number, 1, 2, ... without gaps, queues a copy of it and returns. It never
// waits for the disk: see Wait. Callers that hold the locks of what the batch changes get their order in the log. An empty
// batch is no commit: Append returns the last number. Errors: ErrTooLarge, ErrDiskFull, ErrStalled, ErrPersistence,
// ErrClosed; then nothing is queued. O(len).
func (l *Log) Append(b *format.Batch) (seq uint64, err error) {
	if format.SizeOfBatch(b) > format.MaxCommit {
		return 0, fmt.Errorf("%w: a commit of %d bytes, the limit is %d", errs.ErrTooLarge, format.SizeOfBatch(b), format.MaxCommit)
	}
	l.mu.Lock()
	seq, idle, err := l.append(b)
	l.mu.Unlock()
	if idle {
		l.wakeCommitter()
	}
	return seq, err
}

// append is Append, under mu. idle: the queue was empty, so the committer must be woken.
func (l *Log) append(b *format.Batch) (seq uint64, idle bool, err error) {
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
	idle = len(l.queue.Chunks) == 0
	l.queue.Add(seq, b)
	l.Queued.Add(int64(format.SizeOfBatch(b)))
	l.Last.Store(seq)
	l.lag.appended()
	return seq, idle, nil
}

// refusedNow says why the store takes no commit at present, or nil: the disk is full, or the commit would have to wait for
// a disk that does not answer. So the queue stays short however long the disk is silent. Under mu.
func (l *Log) refusedNow(b *format.Batch) error {
	if err := l.DB.Full(removes(b)); err != nil {
		return err
	}
	if l.wait || l.held() {
		return l.DB.Stalled()
	}
	return nil
}

// removes reports whether the commit may use the first quarter of the disk reserve: what it costs now, snapshots give back.
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

// turn is what callers wait for: the end of one round of the committer.
type turn struct {
	done  chan struct{}
	ended bool // done is closed
}

func newTurn() *turn { return &turn{done: make(chan struct{})} }

// end wakes the waiters. Under mu; a turn ends once, by the committer or by the latch.
func (t *turn) end() {
	if t != nil && !t.ended {
		t.ended = true
		close(t.done)
	}
}

// Wait returns when the commit has what the level promises. At Sync: it is durable. At Interval and None: at once, unless
// more than 8 MiB are queued, or at Interval a commit is not durable that is older than Options.MaxLag; then when that is
// over. It returns nil for a commit that is durable, even after a failure or Close, and otherwise ErrPersistence, ErrClosed,
// or ErrStalled while the disk does not answer. A commit that fails may or may not be found later.
func (l *Log) Wait(seq uint64) error {
	for {
		if !l.wait && seq <= l.Last.Load() && !l.held() {
			if l.durable.Load() >= seq {
				return nil
			}
			return l.DB.Failure()
		}
		if l.wait && l.durable.Load() >= seq {
			return nil
		}
		t, err := l.turnOf(seq)
		if err != nil || t == nil {
			return err
		}
		began := time.Now()
		<-t.done
		l.waits.Add(1)
		l.waited.Add(int64(time.Since(began)))
	}
}

// turnOf returns the turn to wait for; when it has ended the commit is durable, or an error is known.
func (l *Log) turnOf(seq uint64) (*turn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.durable.Load() >= seq:
		return nil, nil
	case l.DB.Failure() != nil:
		return nil, l.DB.Failure()
	case seq > l.Last.Load() && l.DB.IsClosing():
		return nil, errs.ErrClosed
	case seq > l.Last.Load():
		return nil, fmt.Errorf("persist: wait for commit %d, the last one is %d", seq, l.Last.Load())
	case l.DB.Stalled() != nil:
		return nil, l.DB.Stalled()
	case l.inflight != nil && seq <= l.taken:
		return l.inflight, nil
	}
	return l.turn, nil
}

// Flush is Barrier without a deadline.
func (l *Log) Flush() error { return l.Barrier(context.Background()) }

// Barrier returns when everything appended so far is durable, at any level. If ctx ends before, it returns the reason; the
// commits stay as they are. Errors: ErrStalled, ErrPersistence, ErrClosed.
func (l *Log) Barrier(ctx context.Context) error {
	target := l.Last.Load()
	for first := true; ; first = false {
		t, err := l.flushTurn(target, first)
		if err != nil || t == nil {
			return err
		}
		l.wakeCommitter()
		select {
		case <-t.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// flushTurn asks for a flush up to target and returns the turn that will have made it; nil: there is no need.
func (l *Log) flushTurn(target uint64, first bool) (*turn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	done := l.durable.Load() >= target
	if done && !(first && l.DB.IsClosing()) {
		return nil, nil
	}
	if err := l.DB.Refused(); err != nil {
		return nil, err
	}
	if err := l.DB.Stalled(); err != nil {
		return nil, err
	}
	if l.inflight != nil && l.takenFlush && target <= l.taken {
		return l.inflight, nil
	}
	l.flushTo = max(l.flushTo, target)
	return l.turn, nil
}

package persist

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/internal/seeded"
)

const (
	// MaxCommit is the largest commit that Append takes, in bytes as encoded.
	MaxCommit = 16 << 20
	// groupSize is where a group is cut. A larger commit is a group of its own.
	groupSize = 256 << 10
	// maxQueued is where Wait holds back callers whose level does not wait for the disk.
	maxQueued = 8 << 20
)

// chunk is a group in the making: its commits, with room for the header before them.
type chunk struct {
	first   uint64
	commits uint32
	log     []byte
	private []byte // as in Batch, the commits' lists one after the other
}

func (c *chunk) size() int { return len(c.log) - groupHeader + len(c.private) }

// queue holds what is appended and not yet taken by the committer, and two used chunks for their memory.
type queue struct {
	chunks []*chunk
	spare  []*chunk
}

// add encodes a commit behind the last one.
func (q *queue) add(seq uint64, b *Batch) {
	c := q.room(seq, b.size())
	c.commits++
	c.log = binary.AppendUvarint(c.log, uint64(len(b.log)))
	c.log = append(c.log, b.log...)
	c.private = append(c.private, b.private...)
}

// room returns the last chunk, or a new one when that would grow beyond groupSize.
func (q *queue) room(seq uint64, size int) *chunk {
	if n := len(q.chunks); n > 0 && q.chunks[n-1].size()+size <= groupSize {
		return q.chunks[n-1]
	}
	c := &chunk{}
	if n := len(q.spare); n > 0 {
		c, q.spare = q.spare[n-1], q.spare[:n-1]
	}
	if cap(c.log) < groupHeader {
		c.log = make([]byte, groupHeader, 4<<10)
	}
	c.first, c.commits, c.log, c.private = seq, 0, c.log[:groupHeader], c.private[:0]
	q.chunks = append(q.chunks, c)
	return c
}

// recycle keeps the memory of a written chunk, unless it was for one huge commit.
func (q *queue) recycle(c *chunk) {
	if len(q.spare) < 2 && cap(c.log)+cap(c.private) <= 4*groupSize {
		q.spare = append(q.spare, c)
	}
}

// Append gives the commit the next sequence number, 1, 2, ... without gaps, queues a copy of it and returns. It never
// waits for the disk: see Wait. Callers that hold the locks of what the batch changes get their order in the log. An empty
// batch is no commit: Append returns the last number. Errors: ErrTooLarge, ErrDiskFull, ErrStalled, ErrPersistence,
// ErrClosed; then nothing is queued. O(len).
func (s *Store) Append(b *Batch) (seq uint64, err error) {
	if b.size() > MaxCommit {
		return 0, fmt.Errorf("%w: a commit of %d bytes, the limit is %d", ErrTooLarge, b.size(), MaxCommit)
	}
	s.mu.Lock()
	seq, idle, err := s.append(b)
	s.mu.Unlock()
	if idle {
		s.kick()
	}
	return seq, err
}

// append does it, under mu. idle: nothing was queued, so nobody has told the committer yet.
func (s *Store) append(b *Batch) (seq uint64, idle bool, err error) {
	if err := s.refused(); err != nil {
		return 0, false, err
	}
	seq = s.last.Load()
	if b.Len() == 0 {
		return seq, false, nil
	}
	if err := s.refusedNow(b); err != nil {
		return 0, false, err
	}
	seq++
	idle = len(s.queue.chunks) == 0
	s.queue.add(seq, b)
	s.queued.Add(int64(b.size()))
	s.last.Store(seq)
	s.lag.appended()
	return seq, idle, nil
}

// refused says why the store takes no commit, or nil. Under mu.
func (s *Store) refused() error {
	if s.closing {
		return ErrClosed
	}
	return s.broken
}

// refusedNow says why the store takes no commit at present, or nil: the disk is full, or the commit would have to wait for
// a disk that does not answer. So the queue stays short however long the disk is silent. Under mu.
func (s *Store) refusedNow(b *Batch) error {
	if s.space.full != nil && (s.space.fuller || !b.removes()) && !seeded.Bug("ignore the reserve") {
		return s.space.full
	}
	if (s.level == Sync || s.held()) && !seeded.Bug("queue while stalled") {
		return s.stalled()
	}
	return nil
}

// held reports whether Wait holds commits back at Interval and None.
func (s *Store) held() bool { return s.lag.late.Load() || s.queued.Load() > maxQueued }

// kick tells the committer that there is something to do.
func (s *Store) kick() {
	select {
	case s.wake <- struct{}{}:
	default: // told already
	}
}

// turn is one round of the committer, as those who wait see it.
type turn struct {
	done  chan struct{}
	ended bool // done is closed
}

func newTurn() *turn { return &turn{done: make(chan struct{})} }

// end wakes those who wait. Under mu; a turn ends once, by the committer or by the latch.
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
func (s *Store) Wait(seq uint64) error {
	for {
		if s.level != Sync && seq <= s.last.Load() && !s.held() {
			if s.durable.Load() >= seq {
				return nil
			}
			return s.failure()
		}
		if s.level == Sync && s.durable.Load() >= seq {
			return nil
		}
		t, err := s.turnOf(seq)
		if err != nil || t == nil {
			return err
		}
		began := time.Now()
		<-t.done
		s.waits.Add(1)
		s.waited.Add(int64(time.Since(began)))
	}
}

// turnOf returns the turn whose end decides about the commit.
func (s *Store) turnOf(seq uint64) (*turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.durable.Load() >= seq:
		return nil, nil
	case s.broken != nil:
		return nil, s.broken
	case seq > s.last.Load() && s.closing:
		return nil, ErrClosed
	case seq > s.last.Load():
		return nil, fmt.Errorf("persist: wait for commit %d, the last one is %d", seq, s.last.Load())
	case s.watch.stuck:
		return nil, s.stalled()
	case s.inflight != nil && seq <= s.taken:
		return s.inflight, nil
	}
	return s.turn, nil
}

// Flush is Barrier without an end to its patience but ErrStalled.
func (s *Store) Flush() error { return s.Barrier(context.Background()) }

// Barrier returns when everything appended so far is durable, at any level. If ctx ends before, it returns the reason; the
// commits stay as they are. Errors: ErrStalled, ErrPersistence, ErrClosed.
func (s *Store) Barrier(ctx context.Context) error {
	target := s.last.Load()
	for first := true; ; first = false {
		t, err := s.flushTurn(target, first)
		if err != nil || t == nil {
			return err
		}
		s.kick()
		select {
		case <-t.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// flushTurn asks for a flush up to target and returns the turn that will have made it; nil: there is no need.
func (s *Store) flushTurn(target uint64, first bool) (*turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := s.durable.Load() >= target
	if done && !(first && s.closing) {
		return nil, nil
	}
	if err := s.refused(); err != nil {
		return nil, err
	}
	if err := s.stalled(); err != nil {
		return nil, err
	}
	if s.inflight != nil && s.takenFlush && target <= s.taken {
		return s.inflight, nil
	}
	s.barrier = max(s.barrier, target)
	return s.turn, nil
}

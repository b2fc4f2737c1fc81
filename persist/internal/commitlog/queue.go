package commitlog

import (
	"github.com/zrankdb/zrank/persist/internal/format"
)

const (
	// GroupSize is the largest size of a group with several commits, in bytes. A larger commit is a group by itself.
	GroupSize = 256 << 10
	// MaxQueued is the size of the queue, in bytes, above which Wait blocks at levels that do not wait for the disk.
	MaxQueued = 8 << 20
)

// chunk is a group that is being built: its commits, with space for the header before them.
type chunk struct {
	first   uint64
	commits uint32
	log     []byte
	private []byte // as in Batch, the commits' lists one after the other
}

func (c *chunk) size() int { return len(c.log) - format.GroupHeader + len(c.private) }

// queue holds the commits that are appended and not yet taken by the committer. It keeps up to two used chunks to reuse their memory.
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

// chunkFor returns the chunk for a commit of size bytes: the last one, or a new one if the last would grow beyond GroupSize.
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

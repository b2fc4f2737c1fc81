package commitlog

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/persist/internal/format"
)

// tail keeps the last commits of a log in memory, encoded as in a group. All followers share it. It is off, and costs nothing, until
// the first Follow.
//
// P17: pieces follow each other without a gap, up to the last commit that was added. The bytes of a piece do not change;
// only its end moves.
// P18: a follower is shown commits up to upto only. In a store, upto is the last durable commit, at any level.
type tail struct {
	limit int           // bytes that the pieces may take; the newest piece stays even if it is larger
	on    atomic.Bool   // the tail keeps commits; never reset
	upto  atomic.Uint64 // the last commit that may be shown
	waits atomic.Bool   // more is not nil

	mu     sync.Mutex
	pieces []piece
	bytes  int           // that the pieces take, with pieceOverhead each
	more   chan struct{} // closed when upto has risen, or the log has ended; nil: no follower waits
}

// piece holds the encodings of consecutive commits.
type piece struct {
	first, end uint64 // the commits [first, end)
	body       []byte // for each commit: length uvarint, effects
}

const (
	maxPiece      = 64 << 10 // unless one group is bigger
	piecesAtLeast = 8        // at least so many pieces fit in the limit, so that dropping one drops a small part of the tail
	pieceOverhead = 64       // bytes beside the body, about
)

// keep adds the commits [first, first+commits). Their encoding is prefix followed by body. It starts a new piece if the last one is
// full, and drops the oldest pieces beyond the limit. Under mu. O(bytes), amortised.
func (t *tail) keep(first, commits uint64, prefix, body []byte) {
	size := len(prefix) + len(body)
	n := len(t.pieces)
	if n == 0 || cap(t.pieces[n-1].body)-len(t.pieces[n-1].body) < size {
		capacity := max(min(t.limit/piecesAtLeast, maxPiece), size)
		t.pieces = append(t.pieces, piece{first, first, make([]byte, 0, capacity)})
		t.bytes += capacity + pieceOverhead
		n++
	}
	p := &t.pieces[n-1]
	if invariants.Enabled && p.end != first {
		invariants.Violated("persist", "P17", fmt.Sprintf("commit %d follows", first), *p)
	}
	p.body = append(append(p.body, prefix...), body...)
	p.end = first + commits
	drop := 0
	for ; drop < n-1 && t.bytes > t.limit; drop++ {
		t.bytes -= cap(t.pieces[drop].body) + pieceOverhead
	}
	t.pieces = slices.Delete(t.pieces, 0, drop)
}

// keepGroup is keep for a group that has been written.
func (t *tail) keepGroup(c *chunk) {
	if !t.on.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keep(c.first, uint64(c.commits), nil, c.log[format.GroupHeader:len(c.log)-format.GroupTrailer])
}

// find returns the piece that holds a commit. O(log pieces).
func (t *tail) find(seq uint64) (piece, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, ok := slices.BinarySearchFunc(t.pieces, seq, func(p piece, seq uint64) int {
		switch {
		case p.end <= seq:
			return -1
		case p.first > seq:
			return 1
		}
		return 0
	})
	if !ok {
		return piece{}, false
	}
	return t.pieces[i], true
}

// oldest returns the first commit in the tail, and false if the tail is empty.
func (t *tail) oldest() (uint64, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.pieces) == 0 {
		return 0, false
	}
	return t.pieces[0].first, true
}

// reach lets commits up to seq be shown. For the one goroutine that writes the log.
func (t *tail) reach(seq uint64) {
	t.upto.Store(seq)
	t.wake()
}

// wake closes the channel that followers wait for. O(1); one load if none waits.
func (t *tail) wake() {
	if !t.waits.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.more != nil {
		close(t.more)
	}
	t.more = nil
	t.waits.Store(false)
}

// wait returns the channel that the next wake closes. The caller must look for a commit once more before it waits for the channel.
func (t *tail) wait() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.more == nil {
		t.more = make(chan struct{})
		t.waits.Store(true)
	}
	return t.more
}

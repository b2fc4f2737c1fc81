package commitlog

import (
	"encoding/binary"
	"math/rand/v2"
	"sync/atomic"

	"github.com/zrankdb/zrank/persist/internal/format"
)

// MemLog is the log of an engine that stores nothing: it numbers commits, and shows the last ones to followers. Its methods may be
// called from any goroutine.
type MemLog struct {
	tail tail
	id   uint64
	// word is twice the last number given out, plus 1 once the log keeps commits. From then on word rises only under tail.mu.
	word atomic.Uint64
}

// NewMemLog returns a log that keeps up to the given number of bytes of commits, from the first Follow or Keep on.
func NewMemLog(bytes int) *MemLog {
	l := &MemLog{id: rand.Uint64()}
	l.tail.limit = bytes
	return l
}

// Count gives a commit the next number until the first Follow or Keep. From then on it returns false, and the caller calls Append.
// O(1).
func (l *MemLog) Count() (seq uint64, ok bool) {
	for {
		w := l.word.Load()
		if w&1 == 1 {
			return 0, false
		}
		if l.word.CompareAndSwap(w, w+2) {
			return w/2 + 1, true
		}
	}
}

// Append gives the commit the next number and keeps a copy of it for followers: see persist.MemLog.
func (l *MemLog) Append(b *format.Batch) (seq uint64) {
	if b.Len() == 0 {
		return 0
	}
	var prefix [binary.MaxVarintLen64]byte
	l.Keep()
	t := &l.tail
	t.mu.Lock()
	seq = l.word.Add(2) / 2
	body := format.CommitBody(b)
	t.keep(seq, 1, binary.AppendUvarint(prefix[:0], uint64(len(body))), body)
	t.upto.Store(seq)
	t.mu.Unlock()
	t.wake()
	return seq
}

// Keep makes the log keep every commit from now on, as Follow does. O(1).
func (l *MemLog) Keep() {
	if l.word.Load()&1 == 1 {
		return
	}
	l.tail.mu.Lock()
	defer l.tail.mu.Unlock()
	if w := l.word.Or(1); w&1 == 0 {
		l.tail.upto.Store(w / 2)
	}
}

// ID returns a random number, so that positions in other logs can be told apart. O(1).
func (l *MemLog) ID() uint64 { return l.id }

// LastSeq returns the number of the last commit; 0 is none. O(1).
func (l *MemLog) LastSeq() uint64 { return l.word.Load() / 2 }

// Follow returns a reader of the commits from from+1 on: see persist.MemLog.
func (l *MemLog) Follow(from uint64) (*Follower, error) {
	l.Keep()
	return follow(&l.tail, nil, from, l.LastSeq())
}

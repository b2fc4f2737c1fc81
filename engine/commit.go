package engine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// What the engine's effects mean:
//
//	Create   the set exists, with this tie width and version; the first effect on a set in every commit that leaves it
//	         with members
//	Put      the member has this score and tie
//	Remove   the member is gone
//	Drop     the set has become empty
//
// The value of a Put is the score, 8 bytes big endian, followed by the tie.

// batches keeps the memory of batches from commit to commit.
var batches = sync.Pool{New: func() any { return new(persist.Batch) }}

// commit gives the transaction its place in the log and returns its sequence number. If it has changed nothing, that of the
// last commit that it may have seen: what makes it true that there was nothing to change. If commit returns an error, the
// transaction must be rolled back.
func (tx *Tx) commit() (seq uint64, err error) {
	for _, s := range tx.sets {
		s.settle()
	}
	if err := tx.room(); err != nil {
		return 0, err
	}
	if tx.e.store != nil {
		b := batches.Get().(*persist.Batch)
		defer batches.Put(b)
		b.Reset()
		tx.encode(b)
		if b.Len() == 0 {
			if seeded.Bug("nothing to change, nothing to wait for") {
				return 0, nil
			}
			return tx.saw(), nil
		}
		if seeded.Bug("the log is not in the order of the changes") && !tx.holds {
			for _, s := range tx.sets {
				s.s.mu.Unlock()
			}
			_ = tx.e.store.Flush() // gives others time to pass
			for _, s := range tx.sets {
				s.s.mu.Lock()
			}
		}
		if seq, err = tx.e.store.Append(b); err != nil {
			return 0, err
		}
	}
	for _, s := range tx.sets {
		s.committed(seq)
	}
	if len(tx.private) > 0 {
		tx.e.private.apply(tx.private, seq)
	}
	return seq, nil
}

// saw returns the last commit that the transaction has seen the effects of.
func (tx *Tx) saw() (seq uint64) {
	for _, s := range tx.sets {
		if s.s.exists {
			seq = max(seq, s.s.changed)
		} else {
			seq = max(seq, tx.e.emptied.Load())
		}
	}
	if tx.holds {
		seq = max(seq, tx.e.private.changed)
	}
	return seq
}

// encode writes down what the transaction has changed.
func (tx *Tx) encode(b *persist.Batch) {
	for _, s := range tx.sets {
		if len(s.touched.list) == 0 {
			continue
		}
		if s.Len() == 0 {
			b.Drop(s.s.key)
		} else {
			s.encode(b)
		}
	}
	for key, v := range tx.private {
		if v.deleted {
			b.DeletePrivate([]byte(key))
		} else {
			b.PutPrivate([]byte(key), v.value)
		}
	}
}

// settle forgets the members that are as they were before the transaction. If all are, the set has not changed.
func (s *Set) settle() {
	s.touched.list = slices.DeleteFunc(s.touched.list, func(t touch) bool {
		score, tie, ok := s.Get([]byte(t.member))
		same := ok == t.had && score == t.score && bytes.Equal(tie, t.tie)
		if same && ok {
			s.s.putBack(t.member)
		}
		return same
	})
	if len(s.touched.list) == 0 {
		s.s.version = s.version
	}
}

// encode writes down the set and the members that have changed.
func (s *Set) encode(b *persist.Batch) {
	var value [8 + zset.MaxTieWidth]byte
	b.Create(s.s.key, s.s.facts().encode())
	for _, t := range s.touched.list {
		member := []byte(t.member)
		score, tie, ok := s.Get(member)
		if !ok {
			b.Remove(s.s.key, member)
			continue
		}
		binary.BigEndian.PutUint64(value[:], math.Float64bits(score))
		b.Put(s.s.key, member, value[:8+copy(value[8:], tie)])
	}
}

// committed brings what the engine knows of a set up to a commit.
func (s *Set) committed(seq uint64) {
	if len(s.touched.list) == 0 {
		return
	}
	s.s.changed = seq
	s.s.exists = s.Len() > 0
	if !s.s.exists {
		raise(&s.tx.e.emptied, seq)
	}
	if !s.s.exists && s.s.stored != nil {
		s.tx.e.droppedMu.Lock()
		s.tx.e.dropped[s.s.key] = seq
		s.tx.e.droppedMu.Unlock()
	}
}

// raise makes a number at least seq.
func raise(n *atomic.Uint64, seq uint64) {
	for was := n.Load(); was < seq && !n.CompareAndSwap(was, seq); {
		was = n.Load()
	}
}

// facts are what must be known of a set before its members.
type facts struct {
	tieWidth int
	version  uint64
}

const factsLen = 9 // tie width 1 | version 8, big endian

func (s *set) facts() facts { return facts{s.z.TieWidth(), s.version} }

func (f facts) encode() []byte {
	return binary.BigEndian.AppendUint64([]byte{byte(f.tieWidth)}, f.version)
}

func decodeFacts(key string, b []byte) (facts, error) {
	if len(b) != factsLen {
		return facts{}, fmt.Errorf("%w: facts of set %q have %d bytes, not %d", ErrCorrupt, key, len(b), factsLen)
	}
	return facts{int(b[0]), binary.BigEndian.Uint64(b[1:])}, nil
}

// closedError turns the store's word for being closed into the engine's.
func (e *Engine) closedError(err error) error {
	if errors.Is(err, persist.ErrClosed) {
		return ErrClosed
	}
	return err
}

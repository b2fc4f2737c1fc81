package engine

import (
	"encoding/binary"
	"errors"
	"math"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// What the engine's effects mean:
//
//	Create   the set exists, with these facts; the first effect on a set in every commit that leaves it with members,
//	         and right before its Puts and Removes
//	Put      the member has this score and tie
//	Remove   the member is gone
//	Drop     the set is gone; a Create before it says what its key was if that is not its name in the log
//
// The value of a Put is the score, 8 bytes big endian, followed by the tie. A float64 is its bits in IEEE 754, an int64 is in two's
// complement.

// batches keeps the memory of batches from commit to commit.
var batches = sync.Pool{New: func() any { return new(persist.Batch) }}

// commit gives the transaction its place in the log and returns its sequence number. If it has changed nothing, that of the
// last commit that it may have seen: what makes it true that there was nothing to change. If commit returns an error, the
// transaction must be rolled back.
func (tx *Tx) commit() (seq uint64, err error) {
	for c := range tx.changes {
		if c.owner != nil {
			c.settle()
		}
	}
	if err := tx.room(); err != nil {
		return 0, err
	}
	named := tx.name()
	if tx.e.store != nil {
		b := batches.Get().(*persist.Batch)
		defer batches.Put(b)
		b.Reset()
		tx.stage()
		tx.encode(b)
		if b.Len() == 0 {
			if seeded.Bug("nothing to change, nothing to wait for") {
				return 0, nil
			}
			return tx.Saw(), nil
		}
		tx.hesitate()
		if seq, err = tx.e.store.Append(b); err != nil {
			tx.e.foreign.remove(named...)
			tx.unstage()
			return 0, err
		}
	} else {
		seq = tx.number()
	}
	tx.logged = seq > 0
	expiring := tx.unschedule()
	for c := range tx.changes {
		tx.e.committed(c, seq)
	}
	for _, c := range expiring {
		tx.e.schedule(c.s)
	}
	tx.e.keys.change(tx.sets)
	if len(tx.private) > 0 {
		tx.e.private.apply(tx.private, seq)
	}
	return seq, nil
}

// hesitate lets others pass between a change and its place in the log, in builds with seeded bugs.
func (tx *Tx) hesitate() {
	if !seeded.Bug("the log is not in the order of the changes") || tx.holds.Load() {
		return
	}
	for _, s := range tx.sets {
		s.s.pins.Add(1)
		s.lock.Unlock()
	}
	_ = tx.e.store.Flush()
	for _, s := range tx.sets {
		s.lock.Lock()
		s.s.pins.Add(-1)
	}
}

// changes walks the sets that were locked, and then those that the transaction has made.
func (tx *Tx) changes(yield func(*pending) bool) {
	for _, s := range tx.sets {
		if !yield(&s.own) {
			return
		}
	}
	for _, c := range tx.made {
		if !yield(c) {
			return
		}
	}
}

// Saw returns the number of the last commit that the transaction may have seen the effects of, its own changes aside, 0 if there is
// none: once Acknowledge has returned for it, what the transaction has read is as durable as Options.Durability says. O(keys).
func (tx *Tx) Saw() (seq uint64) {
	for _, s := range tx.sets {
		if s.s.exists {
			seq = max(seq, s.s.changed)
		} else {
			seq = max(seq, tx.e.emptied.Load())
		}
	}
	if tx.holds.Load() {
		seq = max(seq, tx.e.private.changed)
	}
	return seq
}

// encode writes down what the transaction has changed. Sets that are gone come first: others may have their names.
func (tx *Tx) encode(b *persist.Batch) {
	for c := range tx.changes {
		if c.s.exists && (c.owner == nil || c.dirty() && c.s.z.Len() == 0) {
			c.drop(b)
		}
	}
	for c := range tx.changes {
		if c.owner != nil && c.dirty() && c.s.z.Len() > 0 {
			c.encode(b)
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

// drop writes down that the set is gone. Who reads the log is told before what its key was, if that is not its name there.
func (c *pending) drop(b *persist.Batch) {
	if s := c.s; s.id() != s.key {
		b.Create(s.id(), facts{version: s.version, key: s.key, other: true}.encode())
	}
	b.Drop(c.s.id())
}

// encode writes down the set and the members that have changed.
func (c *pending) encode(b *persist.Batch) {
	id, f := c.s.id(), c.s.facts()
	f.hidden, f.other, f.key = false, id != c.owner.key, ""
	if f.other {
		f.key = c.owner.key
	}
	b.Create(id, f.encode())
	if c.whole {
		putAll(b, id, c.s.z.View())
		return
	}
	var value [8 + zset.MaxTieWidth]byte
	ints := c.s.z.Integers()
	for _, t := range c.touched.list {
		member := []byte(t.member)
		if score, tie, ok := c.s.z.Get(member); ok {
			b.Put(id, member, appendValue(value[:0], ints, score, tie))
		} else {
			b.Remove(id, member)
		}
	}
}

// putAll writes down all members of a set.
func putAll(b *persist.Batch, id string, v *zset.IntView) {
	var value [8 + zset.MaxTieWidth]byte
	var some []zset.IntEntry
	for lo := 0; lo < v.Len(); lo += len(some) {
		some = v.Append(some[:0], lo, lo+digestStep)
		for _, e := range some {
			b.Put(id, e.Member, appendValue(value[:0], v.Integers(), e.Score, e.Tie))
		}
	}
}

// appendValue appends the value of a Put. The score is as zset.As shows it, of a set with int64 scores or not.
func appendValue(dst []byte, ints bool, score int64, tie []byte) []byte {
	bits := uint64(score)
	if !ints {
		bits = math.Float64bits(zset.FloatOf(score))
	}
	return append(binary.BigEndian.AppendUint64(dst, bits), tie...)
}

// committed brings what the engine knows of a set up to a commit.
func (e *Engine) committed(c *pending, seq uint64) {
	s := c.s
	if c.owner == nil {
		s.gone = true
	}
	if c.owner != nil && !c.dirty() || !s.exists && c.owner == nil {
		return
	}
	c.noteAll()
	was := s.exists
	s.changed, s.exists = seq, c.owner != nil && s.z.Len() > 0
	if s.exists {
		if c.moved() && !seeded.Bug("a key that a rename has left is not waited for") {
			raise(&e.emptied, seq) // for the key that it had
		}
		e.rename(s, c.owner.key)
	}
	if was && !s.exists {
		e.vanished(s, seq)
		if c.moved() {
			e.rekey(s, c.owner.key) // as the keyspace is about to do
		}
	}
}

// vanished notes that a set is gone, for others and for the next snapshot.
func (e *Engine) vanished(s *set, seq uint64) {
	raise(&e.emptied, seq)
	e.leftStore(s, seq)
	if s.rare != nil && s.rare.other { // last: from now on another may take the id, and a snapshot write it
		e.foreign.remove(s.rare.id)
	}
}

// leftStore notes for the next snapshot that a set is gone.
func (e *Engine) leftStore(s *set, seq uint64) {
	if s.base > 0 {
		e.droppedMu.Lock()
		e.dropped[s.id()] = seq
		e.droppedMu.Unlock()
	}
}

// raise makes a number at least seq.
func raise(n *atomic.Uint64, seq uint64) {
	for was := n.Load(); was < seq && !n.CompareAndSwap(was, seq); {
		was = n.Load()
	}
}

// closedError turns the store's word for being closed into the engine's.
func (e *Engine) closedError(err error) error {
	if errors.Is(err, persist.ErrClosed) {
		return ErrClosed
	}
	return err
}

package engine

import (
	"sync"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

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
	if err := tx.withinLimits(); err != nil {
		return 0, err
	}
	named := tx.name()
	if tx.m.store != nil {
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
		if seq, err = tx.m.store.Append(b); err != nil {
			tx.m.keys.ids.remove(named...)
			tx.unstage()
			return 0, err
		}
	} else {
		seq = tx.number()
	}
	tx.logged = seq > 0
	expiring := tx.unschedule()
	for c := range tx.changes {
		tx.m.committed(c, seq)
	}
	for _, c := range expiring {
		tx.m.schedule(c.s)
	}
	tx.m.keys.change(tx.moves())
	if len(tx.private) > 0 {
		tx.m.private.apply(tx.private, seq)
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
	_ = tx.m.store.Flush()
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
			seq = max(seq, tx.m.emptied.Load())
		}
	}
	if tx.holds.Load() {
		seq = max(seq, tx.m.private.changed)
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
	for _, t := range c.undo.records {
		member := []byte(t.member)
		if score, tie, ok := c.s.z.Get(member); ok {
			b.Put(id, member, appendValue(value[:0], ints, score, tie))
		} else {
			b.Remove(id, member)
		}
	}
}

// committed brings what the engine knows of a set up to a commit.
func (m *manager) committed(c *pending, seq uint64) {
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
			raise(&m.emptied, seq) // for the key that it had
		}
		m.keys.rename(s, c.owner.key)
	}
	if was && !s.exists {
		m.vanished(s, seq)
		if c.moved() {
			m.keys.accounts.rekey(s, c.owner.key) // as the keyspace is about to do
		}
	}
}

// vanished notes that a set is gone, for others and for the next snapshot.
func (m *manager) vanished(s *set, seq uint64) {
	raise(&m.emptied, seq)
	m.checkpoints.leftStore(s, seq)
	if s.rare != nil && s.rare.other { // last: from now on another may take the id, and a snapshot write it
		m.keys.ids.remove(s.rare.id)
	}
}

// moves returns the sets that keys stand for which they did not stand for before.
func (tx *Tx) moves() (moves []move) {
	for _, h := range tx.sets {
		if h.pending != &h.own {
			moves = append(moves, move{h.key, h.s, h.lock})
		}
	}
	return moves
}

// name gives the sets ids that are new to the log, and returns those that have become foreign by it. The keys are locked, so
// that nobody else can take the ids they stand for.
func (tx *Tx) name() (named []string) {
	for c := range tx.changes {
		if id := c.s.id(); c.s.exists && c.moved() && c.s.z.Len() > 0 && id != c.owner.key && tx.m.keys.ids.add(id) {
			named = append(named, id)
		}
	}
	for c := range tx.changes {
		if s := c.s; !s.exists && c.owner != nil && c.dirty() && s.z.Len() > 0 && tx.m.keys.ids.has(c.owner.key) {
			r := s.extra()
			r.id, r.other = tx.m.keys.freshID(c.owner.key, tx.m.lastSeq()), true
			named = append(named, r.id)
		}
	}
	return named
}

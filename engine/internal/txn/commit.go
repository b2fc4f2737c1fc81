package txn

import (
	"sync"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// batches keeps the memory of batches from commit to commit.
var batches = sync.Pool{New: func() any { return new(persist.Batch) }}

// commit appends the transaction to the log and returns its sequence number. If the transaction has changed nothing, it returns the
// number of the last commit that the transaction may have seen, so that waiting for it makes durable what the transaction has read. After
// an error the caller must roll back.
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
	if tx.m.Store != nil {
		b := batches.Get().(*persist.Batch)
		defer batches.Put(b)
		b.Reset()
		tx.stage()
		tx.encode(b)
		if b.Len() == 0 {
			return tx.Saw(), nil
		}
		if seq, err = tx.m.Store.Append(b); err != nil {
			tx.m.Keys.Ids.Remove(named...)
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
		tx.m.Schedule(c.S)
	}
	tx.m.Keys.Change(tx.moves())
	if len(tx.private) > 0 {
		tx.m.Private.Apply(tx.private, seq)
	}
	return seq, nil
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
		if s.S.Exists {
			seq = max(seq, s.S.Changed)
		} else {
			seq = max(seq, tx.m.emptied.Load())
		}
	}
	if tx.holds.Load() {
		seq = max(seq, tx.m.Private.Changed)
	}
	return seq
}

// encode appends the changes of the transaction to a batch. Dropped sets come first, because new ones may have their ids.
func (tx *Tx) encode(b *persist.Batch) {
	for c := range tx.changes {
		if c.S.Exists && (c.owner == nil || c.dirty() && c.S.Entries.Len() == 0) {
			c.drop(b)
		}
	}
	for c := range tx.changes {
		if c.owner != nil && c.dirty() && c.S.Entries.Len() > 0 {
			c.encode(b)
		}
	}
	for key, v := range tx.private {
		if v.Deleted {
			b.DeletePrivate([]byte(key))
		} else {
			b.PutPrivate([]byte(key), v.Value)
		}
	}
}

// drop writes that the set is gone. If the key is not the set's id, a Create before the Drop gives readers of the log the key.
func (c *pending) drop(b *persist.Batch) {
	if s := c.S; s.Id() != s.Key {
		b.Create(s.Id(), facts.Facts{Version: s.Version, Key: s.Key, Other: true}.Encode())
	}
	b.Drop(c.S.Id())
}

// encode appends the set and its changed members to a batch.
func (c *pending) encode(b *persist.Batch) {
	id, f := c.S.Id(), c.S.Facts()
	f.Hidden, f.Other, f.Key = false, id != c.owner.key, ""
	if f.Other {
		f.Key = c.owner.key
	}
	b.Create(id, f.Encode())
	if c.whole {
		facts.PutAll(b, id, c.S.Entries.View())
		return
	}
	var value [8 + zset.MaxTieWidth]byte
	ints := c.S.Entries.Integers()
	for _, t := range c.undo.Records {
		member := []byte(t.Member)
		if score, tie, ok := c.S.Entries.Get(member); ok {
			b.Put(id, member, facts.AppendValue(value[:0], ints, score, tie))
		} else {
			b.Remove(id, member)
		}
	}
}

// committed updates the state of a set after a commit.
func (m *Manager) committed(c *pending, seq uint64) {
	s := c.S
	if c.owner == nil {
		s.Gone = true
	}
	if c.owner != nil && !c.dirty() || !s.Exists && c.owner == nil {
		return
	}
	c.noteAll()
	was := s.Exists
	s.Changed, s.Exists = seq, c.owner != nil && s.Entries.Len() > 0
	if s.Exists {
		if c.moved() {
			observe.Raise(&m.emptied, seq) // for the key that it had
		}
		m.Keys.Rename(s, c.owner.key)
	}
	if was && !s.Exists {
		m.Vanished(s, seq)
		if c.moved() {
			m.Keys.Accounts.Rekey(s, c.owner.key) // as the keyspace is about to do
		}
	}
}

// Vanished notes that a set is gone, for others and for the next snapshot.
func (m *Manager) Vanished(s *keyspace.Set, seq uint64) {
	observe.Raise(&m.emptied, seq)
	m.Checkpoints.LeftStore(s, seq)
	if s.Rare != nil && s.Rare.Other { // last: from now on another may take the id, and a snapshot write it
		m.Keys.Ids.Remove(s.Rare.Id)
	}
}

// moves returns the sets that keys stand for which they did not stand for before.
func (tx *Tx) moves() (moves []keyspace.Move) {
	for _, h := range tx.sets {
		if h.pending != &h.own {
			moves = append(moves, keyspace.Move{Key: h.key, S: h.S, Lock: h.lock})
		}
	}
	return moves
}

// name gives ids to the sets that are new to the log, and returns those ids that differ from their keys by it. The keys are locked, so
// that no other transaction can take these ids.
func (tx *Tx) name() (named []string) {
	for c := range tx.changes {
		if id := c.S.Id(); c.S.Exists && c.moved() && c.S.Entries.Len() > 0 && id != c.owner.key && tx.m.Keys.Ids.Add(id) {
			named = append(named, id)
		}
	}
	for c := range tx.changes {
		if s := c.S; !s.Exists && c.owner != nil && c.dirty() && s.Entries.Len() > 0 && tx.m.Keys.Ids.Has(c.owner.key) {
			r := s.Extra()
			r.Id, r.Other = tx.m.Keys.FreshID(c.owner.key, tx.m.LastSeq()), true
			named = append(named, r.Id)
		}
	}
	return named
}

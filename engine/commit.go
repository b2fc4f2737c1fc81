package engine

import (
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
)

// commit appends the transaction to the log and returns its sequence number. If the transaction has changed nothing, it returns the
// number of the last commit that the transaction may have seen, so that waiting for it makes durable what the transaction has read. After
// an error the caller must roll back.
func (tx *Tx) commit() (seq uint64, err error) {
	for c := range tx.changes {
		if c.owner != nil {
			c.settle()
			tx.breathe()
		}
	}
	if err := tx.withinLimits(); err != nil {
		return 0, err
	}
	reserved := tx.reserveIDs()
	if tx.m.store != nil {
		b := batches.Get().(*persist.Batch)
		defer batches.Put(b)
		b.Reset()
		tx.stage()
		tx.encode(b)
		if b.Len() == 0 {
			return tx.Saw(), nil
		}
		if seq, err = tx.m.store.Append(b); err != nil {
			tx.m.keys.Ids.Remove(reserved...)
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
	tx.m.keys.Change(tx.moves())
	for _, c := range expiring {
		tx.m.schedule(c.S)
	}
	if len(tx.private) > 0 {
		tx.m.private.Apply(tx.private, seq)
	}
	return seq, nil
}

// Saw returns the number of the last commit whose effects the transaction may have seen, or 0 if there is none. Its own changes do not
// count. Once Acknowledge has returned for that number, what the transaction has read is as durable as Options.Durability says. O(keys).
func (tx *Tx) Saw() (seq uint64) {
	for _, s := range tx.sets {
		if s.S.Exists {
			seq = max(seq, s.S.Changed)
		} else {
			seq = max(seq, tx.m.emptied.Load())
		}
	}
	if !tx.stripes.Empty() {
		seq = max(seq, tx.m.private.Changed())
	}
	return seq
}

// committed updates the state of a set after a commit.
func (m *manager) committed(c *pending, seq uint64) {
	s := c.S
	if c.owner == nil {
		s.Gone = true
	}
	if c.owner != nil && !c.dirty() || !s.Exists && c.owner == nil {
		return
	}
	c.noteAll()
	was := s.Exists
	s.Commit(seq)
	s.Exists = c.owner != nil && !c.empty()
	if s.Exists {
		if c.moved() {
			observe.Raise(&m.emptied, seq) // for a View of the key that it had
		}
		m.keys.Rename(s, c.owner.key)
		if len(c.blindWrites()) > 0 {
			s.SetBlind(c.blind)
		}
	}
	if was && !s.Exists {
		m.vanished(s, seq)
	}
}

// vanished records that a set is gone, for Saw, for the next snapshot, and for new sets that may take its id.
func (m *manager) vanished(s *keyspace.Set, seq uint64) {
	observe.Raise(&m.emptied, seq)
	m.checkpoints.LeftStore(s, seq)
	if s.Rare != nil && s.Rare.Other { // last: from now on another set may take the id, and a snapshot may write it
		m.keys.Ids.Remove(s.Rare.Id)
	}
}

// moves returns the keys that have got another set in the transaction, each with that set.
func (tx *Tx) moves() (moves []keyspace.Move) {
	for _, h := range tx.sets {
		if h.pending != &h.own {
			moves = append(moves, keyspace.Move{Key: h.key, S: h.S, Lock: h.lock})
		}
	}
	return moves
}

// reserveIDs reserves the ids of sets whose id is not their key: sets that get another key keep theirs, and a new set gets a fresh one if a
// renamed set has its key as id. It returns the ids that it has reserved, so that commit can free them after an error. The keys are locked,
// so no other transaction can take these ids.
func (tx *Tx) reserveIDs() (reserved []string) {
	for c := range tx.changes {
		if id := c.S.Id(); c.S.Exists && c.moved() && !c.empty() && id != c.owner.key && tx.m.keys.Ids.Add(id) {
			reserved = append(reserved, id)
		}
	}
	for c := range tx.changes {
		if s := c.S; !s.Exists && c.owner != nil && c.dirty() && s.Entries.Len() > 0 && tx.m.keys.Ids.Has(c.owner.key) {
			r := s.Extra()
			r.Id, r.Other = tx.m.keys.FreshID(c.owner.key, tx.m.lastSeq()), true
			reserved = append(reserved, r.Id)
		}
	}
	return reserved
}

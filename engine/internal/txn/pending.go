package txn

import (
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/undo"
	"github.com/zrankdb/zrank/internal/seeded"
)

// pending is a set and what a transaction does to it. Each key of a transaction begins with the set that was locked under it. A
// key that is dropped, or takes over another's set, gets another pending; then the first one belongs to no key, and is dropped
// by the commit.
type pending struct {
	S       *keyspace.Set
	owner   *Handle // the key that it belongs to; nil: none
	version uint64  // before the transaction
	expires int64   // before
	sum     uint64  // that of the digest before
	undo    undo.Log
	whole   bool // all members are new to the log, not those touched only
}

// replace gives the key a set of its own that holds nothing, in the place of what it stood for.
func (h *Handle) replace(f facts.Layout) *pending {
	c := &pending{S: keyspace.MakeSet(h.key, h.lock), owner: h}
	c.S.Entries = Must(f.NewSet())
	h.tx.made = append(h.tx.made, c)
	h.release()
	h.give(c)
	return c
}

// release leaves the key with nothing for a moment.
func (h *Handle) release() {
	h.pending.owner = nil
	h.pending, h.View = nil, nil
}

// give makes the key stand for a set.
func (h *Handle) give(c *pending) {
	c.owner = h
	h.pending = c
	h.show(c.S.Entries.View())
}

// moved reports whether the set has come from another key.
func (c *pending) moved() bool { return c.owner != nil && c.S.Key != c.owner.key }

// dirty reports whether the commit has something to say of the set.
func (c *pending) dirty() bool {
	return len(c.undo.Records) > 0 || c.whole || c.moved() || c.expires != c.S.Expires()
}

// stage lets listings have the sets that the commit makes in the place of others, before the log has them: a snapshot that may
// cut the commit out of the log finds them, and waits for their locks.
func (tx *Tx) stage() {
	if seeded.Bug("forget a moved set in the listing") {
		return
	}
	for _, c := range tx.made {
		if c.owner != nil && !c.S.Exists && c.S.Entries.Len() > 0 {
			tx.m.Keys.Stage(c.S, keyspace.NotFilled)
		}
	}
}

// unstage takes it back.
func (tx *Tx) unstage() {
	for _, c := range tx.made {
		if !c.S.Hidden() {
			tx.m.Keys.Unstage(c.S)
		}
	}
}

// rollback gives a set that was locked what it had. Every touched member gets it back after those are gone that were not there:
// so that there is room.
func (c *pending) rollback() {
	s := c.S
	s.Version = c.version
	s.SetExpires(c.expires)
	s.SetDigest(facts.Digest{Sum: c.sum, Known: s.Digest().Known})
	for _, t := range c.undo.Records {
		if !t.Had {
			s.Entries.Remove([]byte(t.Member))
		}
	}
	for _, t := range c.undo.Records {
		if !t.Had {
			continue
		}
		if _, err := s.Entries.AddTied([]byte(t.Member), []byte(t.Tie), t.Score); err != nil {
			panic(fmt.Sprintf("engine: rollback of %q in %q: %v", t.Member, s.Key, err))
		}
		s.PutBack(t.Member)
	}
}

// settle forgets the members that are as they were before the transaction, and brings the digest up to date (D1). If all members are,
// the set has not changed.
func (c *pending) settle() {
	d := c.begun()
	c.undo.Records = slices.DeleteFunc(c.undo.Records, func(t undo.Record) bool {
		score, tie, ok := c.S.Entries.Get([]byte(t.Member))
		same := ok == t.Had && score == t.Score && string(tie) == t.Tie
		if same && ok {
			c.S.PutBack(t.Member)
		}
		if d.Known && !same && t.Had {
			d.Remove(t.Score, t.Tie, t.Member)
		}
		if d.Known && !same && ok {
			d.Add(score, string(tie), t.Member)
		}
		return same
	})
	c.S.SetDigest(d)
	if !c.dirty() {
		c.S.Version = c.version
	}
}

// begun is the digest that the changes of a transaction are added to: a set that comes to be gets one if its key and its kind want it.
func (c *pending) begun() facts.Digest {
	if c.S.Exists || c.whole || c.S.Entries == nil {
		return c.S.Digest()
	}
	return facts.Digest{Known: facts.Reserved(c.owner.key) && c.S.Entries.Integers()}
}

// noteAll tells those who copy the set what a commit has changed.
func (c *pending) noteAll() {
	if !c.S.Tracked() || seeded.Bug("copies do not hear of commits") {
		return
	}
	for _, t := range c.undo.Records {
		c.S.Note(t.Member)
	}
}

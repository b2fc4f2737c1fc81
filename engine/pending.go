package engine

import (
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/internal/seeded"
)

// pending is a set and what a transaction does to it. Each key of a transaction begins with the set that was locked under it. A
// key that is dropped, or takes over another's set, gets another pending; then the first one belongs to no key, and is dropped
// by the commit.
type pending struct {
	s       *set
	owner   *handle // the key that it belongs to; nil: none
	version uint64  // before the transaction
	expires int64   // before
	sum     uint64  // that of the digest before
	undo    undoLog
	whole   bool // all members are new to the log, not those touched only
}

// replace gives the key a set of its own that holds nothing, in the place of what it stood for.
func (h *handle) replace(f form) *pending {
	c := &pending{s: makeSet(h.key, h.lock), owner: h}
	c.s.z = must(f.set())
	h.tx.made = append(h.tx.made, c)
	h.release()
	h.give(c)
	return c
}

// release leaves the key with nothing for a moment.
func (h *handle) release() {
	h.pending.owner = nil
	h.pending, h.view = nil, nil
}

// give makes the key stand for a set.
func (h *handle) give(c *pending) {
	c.owner = h
	h.pending = c
	h.show(c.s.z.View())
}

// moved reports whether the set has come from another key.
func (c *pending) moved() bool { return c.owner != nil && c.s.key != c.owner.key }

// dirty reports whether the commit has something to say of the set.
func (c *pending) dirty() bool {
	return len(c.undo.records) > 0 || c.whole || c.moved() || c.expires != c.s.expires()
}

// stage lets listings have the sets that the commit makes in the place of others, before the log has them: a snapshot that may
// cut the commit out of the log finds them, and waits for their locks.
func (tx *Tx) stage() {
	if seeded.Bug("forget a moved set in the listing") {
		return
	}
	for _, c := range tx.made {
		if c.owner != nil && !c.s.exists && c.s.z.Len() > 0 {
			tx.m.keys.stage(c.s, notFilled)
		}
	}
}

// unstage takes it back.
func (tx *Tx) unstage() {
	for _, c := range tx.made {
		if !c.s.hidden() {
			tx.m.keys.unstage(c.s)
		}
	}
}

// rollback gives a set that was locked what it had. Every touched member gets it back after those are gone that were not there:
// so that there is room.
func (c *pending) rollback() {
	s := c.s
	s.version = c.version
	s.setExpires(c.expires)
	s.setDigest(digest{c.sum, s.digest().known})
	for _, t := range c.undo.records {
		if !t.had {
			s.z.Remove([]byte(t.member))
		}
	}
	for _, t := range c.undo.records {
		if !t.had {
			continue
		}
		if _, err := s.z.AddTied([]byte(t.member), []byte(t.tie), t.score); err != nil {
			panic(fmt.Sprintf("engine: rollback of %q in %q: %v", t.member, s.key, err))
		}
		s.putBack(t.member)
	}
}

// settle forgets the members that are as they were before the transaction, and brings the digest up to date (D1). If all members are,
// the set has not changed.
func (c *pending) settle() {
	d := c.begun()
	c.undo.records = slices.DeleteFunc(c.undo.records, func(t undoRecord) bool {
		score, tie, ok := c.s.z.Get([]byte(t.member))
		same := ok == t.had && score == t.score && string(tie) == t.tie
		if same && ok {
			c.s.putBack(t.member)
		}
		if d.known && !same && t.had {
			d.remove(t.score, t.tie, t.member)
		}
		if d.known && !same && ok {
			d.add(score, string(tie), t.member)
		}
		return same
	})
	c.s.setDigest(d)
	if !c.dirty() {
		c.s.version = c.version
	}
}

// begun is the digest that the changes of a transaction are added to: a set that comes to be gets one if its key and its kind want it.
func (c *pending) begun() digest {
	if c.s.exists || c.whole || c.s.z == nil {
		return c.s.digest()
	}
	return digest{known: Reserved(c.owner.key) && c.s.z.Integers()}
}

// noteAll tells those who copy the set what a commit has changed.
func (c *pending) noteAll() {
	if !c.s.tracked() || seeded.Bug("copies do not hear of commits") {
		return
	}
	for _, t := range c.undo.records {
		c.s.note(t.member)
	}
}

package engine

import (
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/undo"
)

// replace gives the key a new, empty set in place of the one that it had.
func (h *handle) replace(f facts.Layout) *pending {
	c := &pending{S: keyspace.MakeSet(h.key, h.lock), owner: h}
	c.S.Entries = must(f.NewSet())
	h.tx.made = append(h.tx.made, c)
	h.release()
	h.give(c)
	return c
}

// release takes the set from the key. The caller gives it another one.
func (h *handle) release() {
	h.pending.owner = nil
	h.pending, h.view = nil, nil
}

// give gives the key a set.
func (h *handle) give(c *pending) {
	c.owner = h
	h.pending = c
	h.show(c.S.Entries.View())
}

// moved reports whether the set has come from another key.
func (c *pending) moved() bool { return c.owner != nil && c.S.Key != c.owner.key }

// dirty reports whether the commit must write the set.
func (c *pending) dirty() bool {
	return len(c.undo.Records) > 0 || len(c.blindWrites()) > 0 || c.whole || c.moved() || c.expires != c.S.Expires()
}

// empty reports whether the set has no members. A set on the disk only always has.
func (c *pending) empty() bool { return !c.S.Cold() && c.S.Entries.Len() == 0 }

// stage adds the sets that the commit makes in place of others, and those with blind writes, to listings, before the log has them. A snapshot
// that may cut the commit out of the log then finds them, and waits for their locks.
func (tx *Tx) stage() {
	for _, c := range tx.made {
		if c.owner != nil && !c.S.Exists && c.S.Entries.Len() > 0 {
			tx.m.keys.Stage(c.S, keyspace.NotFilled)
		}
	}
	for _, h := range tx.sets {
		if h.own.owner != nil && len(h.own.blindWrites()) > 0 {
			tx.m.keys.Accounts.ListBlind(h.own.S, true)
		}
	}
}

// unstage undoes stage.
func (tx *Tx) unstage() {
	for _, c := range tx.made {
		if !c.S.Hidden() {
			tx.m.keys.Unstage(c.S)
		}
	}
}

// rollback restores a set. It first removes the added members, and then restores the changed and removed ones, so that a set with a cap
// never exceeds it.
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

// settle drops the undo records of members that are as they were before the transaction, and updates the digest (D1). If no record
// is left, the set has not changed.
func (c *pending) settle() {
	pictured := c.pictured() && c.picture() == nil // the image has all records, also those that are about to go
	d := c.baseDigest()
	c.undo.Records = slices.DeleteFunc(c.undo.Records, func(t undo.Record) bool {
		if pictured {
			c.owner.tx.breathe()
		}
		score, tie, ok := c.S.Entries.Get([]byte(t.Member))
		same := ok == t.Had && score == t.Score && string(tie) == t.Tie
		if same && ok {
			c.S.PutBack(t.Member)
		}
		if d.Known && !same && t.Had {
			d.Remove(t.Score, t.Tie, t.Member)
		}
		if d.Known && !same && ok {
			d.Add(score, tie, t.Member)
		}
		return same
	})
	if pictured {
		c.shown = len(c.undo.Records)
	}
	c.S.SetDigest(d)
	if !c.dirty() {
		c.S.Version = c.version
	}
}

// baseDigest returns the digest to which the changes of the transaction are added. A new set has a digest if its key is reserved and its
// scores are int64.
func (c *pending) baseDigest() facts.Digest {
	if c.S.Exists || c.whole || c.S.Entries == nil {
		return c.S.Digest()
	}
	return facts.Digest{Known: facts.Reserved(c.owner.key) && c.S.Entries.Integers()}
}

// noteAll adds the members that a commit has changed to the trackers of the set.
func (c *pending) noteAll() {
	if !c.S.Tracked() {
		return
	}
	for _, t := range c.undo.Records {
		c.S.Note(t.Member)
	}
}

// rollback undoes the changes of the transaction in memory.
func (tx *Tx) rollback() {
	for _, s := range tx.sets {
		s.own.rollback()
	}
}

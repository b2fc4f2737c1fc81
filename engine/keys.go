package engine

import (
	"fmt"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/undo"
	"github.com/zrankdb/zrank/zset"
)

// What a transaction does to whole sets: only keys change, no members.

// Drop deletes the set of a key, of any kind and size, and reports whether there was one, as Redis DEL. The garbage collector frees the
// set's memory. O(1). Errors: ErrNotNamed, ErrReadOnly, ErrTxDone, ErrReserved.
func (tx *Tx) Drop(key string) (bool, error) {
	s, err := tx.writable(key)
	if err != nil || !s.there() {
		return false, err
	}
	s.replace(facts.Layout{})
	return true, nil
}

// Rename moves the set under the key from to the key to, with its expiry, as Redis RENAME. The set that to had is dropped. O(1); the next
// snapshot writes the renamed set in full. Errors: ErrNoSet if from does not exist, ErrNotNamed, ErrReadOnly, ErrTxDone; ErrReserved for a
// reserved key, except that a set with float64 scores may leave one: see Reserved.
func (tx *Tx) Rename(from, to string) error {
	f, t, err := pairOf(tx, from, to)
	if err != nil || f == t {
		return err
	}
	if !tx.owner && facts.Reserved(from) && f.S.Entries.Integers() {
		return facts.ReservedError(from)
	}
	c := f.pending
	f.replace(facts.Layout{})
	if !c.S.Exists { // this transaction has made it, so the log does not have it: its entries move to a new set
		made := t.replace(facts.Layout{})
		made.S.Entries, made.S.Version, made.whole = c.S.Entries, c.S.Version, true
		made.S.SetExpires(c.S.Expires())
		t.show(made.S.Entries.View())
		c.S.Entries, c.undo, c.whole = nil, undo.Log{}, false
		return nil
	}
	c.S.Version++
	t.release()
	t.give(c)
	return nil
}

// Copy puts a copy of the set under the key from, with its expiry, under the key to, as Redis COPY … REPLACE. The set that to had is
// dropped. O(members). Errors: those of Rename, and ErrTooLarge if the members are more than 16 MiB, since the commit has them all.
func (tx *Tx) Copy(from, to string) error {
	f, t, err := pairOf(tx, from, to)
	if err != nil || f == t {
		return err
	}
	t.hold(f.view.Copy(), f.S.Expires(), facts.Digest{})
	return nil
}

// StoreSet puts z in place of the set of a key; an empty z leaves the key without one. The expiry of the set that the key had is gone. z must have been made with no options
// but thresholds, which are replaced by those of the engine, and belongs to the engine, after an error of the closure too. See Engine.StoreSet for sets of any size. O(members) when the
// transaction commits. Errors: ErrKind and ErrForm for a z made otherwise, ErrNotNamed, ErrReserved, ErrReadOnly, ErrTxDone; Update returns ErrTooLarge if the members are more than 16 MiB.
func (tx *Tx) StoreSet(key string, z *zset.Set) error {
	h, err := tx.writable(key)
	if err != nil {
		return err
	}
	s := zset.As[int64](z)
	if err := facts.RefuseForm(key, s); err != nil {
		return err
	}
	tx.m.keys.Limits.Fit(s)
	h.put(s, 0, facts.Digest{})
	return nil
}

// hold gives the key a set that is new to the log, with its expiry and digest. The store has no page of it, though z may have been loaded from pages elsewhere.
func (h *handle) hold(z *zset.IntSet, expires int64, d facts.Digest) {
	z.TouchPages()
	c := h.replace(facts.Layout{})
	c.S.Entries, c.S.Version, c.whole = z, uint64(z.Len()), true
	c.S.SetExpires(expires)
	c.S.SetDigest(d)
	h.show(z.View())
}

// pairOf returns the handles of two keys. The first must have members, and the second must be writable.
func pairOf(tx *Tx, from, to string) (f, t *handle, err error) {
	if f, err = readHandle(tx, from); err != nil {
		return nil, nil, err
	}
	if t, err = tx.writable(to); err != nil {
		return nil, nil, err
	}
	if !f.there() {
		return nil, nil, fmt.Errorf("%w: %q", ErrNoSet, from)
	}
	return f, t, nil
}

// writable returns the handle of a key whose set the transaction may change.
func (tx *Tx) writable(key string) (*handle, error) {
	s, err := handleOf(tx, key)
	if err == nil {
		err = s.writable()
	}
	return s, err
}

// there reports whether the set has members. A set on the disk only always has.
func (h *handle) there() bool { return h.S.Cold() || h.S.Entries != nil && h.S.Entries.Len() > 0 }

// put gives the key a set that is new to the log, or no set if that is empty.
func (h *handle) put(z *zset.IntSet, expires int64, d facts.Digest) {
	switch {
	case z.Len() > 0:
		h.hold(z, expires, d)
	case h.there():
		h.replace(facts.Layout{})
	}
}

// adopt gives the key a staged set.
func (h *handle) adopt(staged *keyspace.Set) {
	c := &pending{S: staged, version: staged.Version, expires: staged.Expires()}
	staged.Mu.Lock()
	h.tx.adopted = staged.Mu.Get()
	h.tx.made = append(h.tx.made, c)
	h.release()
	h.give(c)
}

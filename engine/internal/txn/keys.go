package txn

import (
	"fmt"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/undo"
	"github.com/zrankdb/zrank/zset"
)

// What a transaction does to whole sets. Members are not touched: keys change hands.

// Drop deletes the set of a key, whatever it holds, and reports whether there was one, as Redis DEL. What the set held in memory
// is left to the garbage collector. O(1). Errors: ErrNotNamed, ErrReadOnly, ErrTxDone, ErrReserved.
func (tx *Tx) Drop(key string) (bool, error) {
	s, err := tx.writable(key)
	if err != nil || !s.There() {
		return false, err
	}
	s.replace(facts.Layout{})
	return true, nil
}

// Rename gives the set of from the key to, with its expiry. A set that to had is dropped. As Redis RENAME. O(1); a set whose key
// has changed is written in full by the next snapshot. Errors: ErrNoSet if from does not exist, ErrNotNamed, ErrReadOnly,
// ErrTxDone; ErrReserved for a reserved key, but that a set with float64 scores may leave one: see Reserved.
func (tx *Tx) Rename(from, to string) error {
	f, t, err := PairOf(tx, from, to)
	if err != nil || f == t {
		return err
	}
	if !tx.owner && facts.Reserved(from) && f.S.Entries.Integers() {
		return facts.ReservedError(from)
	}
	c := f.pending
	f.replace(facts.Layout{})
	if !c.S.Exists { // this transaction has made it
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

// Copy gives to a copy of the set of from, with its expiry. A set that to had is dropped. As Redis COPY … REPLACE. O(members).
// Errors: those of Rename; the commit has all members, and so ErrTooLarge if they are more than 16 MiB.
func (tx *Tx) Copy(from, to string) error {
	f, t, err := PairOf(tx, from, to)
	if err != nil || f == t {
		return err
	}
	t.hold(f.View.Copy(), f.S.Expires(), facts.Digest{})
	return nil
}

// hold gives the key a set that is new to the log, with its digest.
func (h *Handle) hold(z *zset.IntSet, expires int64, d facts.Digest) {
	c := h.replace(facts.Layout{})
	c.S.Entries, c.S.Version, c.whole = z, uint64(z.Len()), true
	c.S.SetExpires(expires)
	c.S.SetDigest(d)
	h.show(z.View())
}

// PairOf returns the sets of two keys, of which the first has members and the second may be changed.
func PairOf(tx *Tx, from, to string) (f, t *Handle, err error) {
	if f, err = HandleOf(tx, from); err != nil {
		return nil, nil, err
	}
	if t, err = tx.writable(to); err != nil {
		return nil, nil, err
	}
	if !f.There() {
		return nil, nil, fmt.Errorf("%w: %q", ErrNoSet, from)
	}
	return f, t, nil
}

// writable returns the set of a key that may be changed.
func (tx *Tx) writable(key string) (*Handle, error) {
	s, err := HandleOf(tx, key)
	if err == nil {
		err = s.writable()
	}
	return s, err
}

// There reports whether the set has members. One on the disk only has.
func (h *Handle) There() bool { return h.S.Cold() || h.S.Entries != nil && h.S.Entries.Len() > 0 }

// Put makes the key stand for a set that is new to the log, or for none if that is empty.
func (h *Handle) Put(z *zset.IntSet, expires int64, d facts.Digest) {
	switch {
	case z.Len() > 0:
		h.hold(z, expires, d)
	case h.There():
		h.replace(facts.Layout{})
	}
}

// Adopt makes the key that of a staged set.
func (h *Handle) Adopt(staged *keyspace.Set) {
	c := &pending{S: staged, version: staged.Version, expires: staged.Expires()}
	staged.Mu.Lock()
	h.tx.adopted = staged.Mu.Of.Load()
	h.tx.made = append(h.tx.made, c)
	h.release()
	h.give(c)
}

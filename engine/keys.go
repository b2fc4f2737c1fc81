package engine

import (
	"fmt"

	"github.com/zrankdb/zrank/zset"
)

// What a transaction does to whole sets. Members are not touched: keys change hands.

// Drop deletes the set of a key, whatever it holds, and reports whether there was one, as Redis DEL. What the set held in memory
// is left to the garbage collector. O(1). Errors: ErrNotNamed, ErrReadOnly, ErrTxDone, ErrReserved.
func (tx *Tx) Drop(key string) (bool, error) {
	s, err := tx.writable(key)
	if err != nil || !s.there() {
		return false, err
	}
	s.replace(form{})
	return true, nil
}

// Rename gives the set of from the key to, with its expiry. A set that to had is dropped. As Redis RENAME. O(1); a set whose key
// has changed is written in full by the next snapshot. Errors: ErrNoSet if from does not exist, ErrNotNamed, ErrReadOnly,
// ErrTxDone; ErrReserved for a reserved key, but that a set with float64 scores may leave one: see Reserved.
func (tx *Tx) Rename(from, to string) error {
	f, t, err := pairOf(tx, from, to)
	if err != nil || f == t {
		return err
	}
	if !tx.owner && Reserved(from) && f.s.z.Integers() {
		return reservedError(from)
	}
	c := f.pending
	f.replace(form{})
	if !c.s.exists { // nobody but this transaction has seen it
		made := t.replace(form{})
		made.s.z, made.s.version, made.whole = c.s.z, c.s.version, true
		made.s.setExpires(c.s.expires())
		t.show(made.s.z.View())
		c.s.z, c.undo, c.whole = nil, undoLog{}, false
		return nil
	}
	c.s.version++
	t.release()
	t.give(c)
	return nil
}

// Copy gives to a copy of the set of from, with its expiry. A set that to had is dropped. As Redis COPY … REPLACE. O(members).
// Errors: those of Rename; the commit has all members, and so ErrTooLarge if they are more than 16 MiB.
func (tx *Tx) Copy(from, to string) error {
	f, t, err := pairOf(tx, from, to)
	if err != nil || f == t {
		return err
	}
	t.hold(f.view.Copy(), f.s.expires(), digest{})
	return nil
}

// hold gives the key a set that is new to the log, with its digest.
func (h *handle) hold(z *zset.IntSet, expires int64, d digest) {
	c := h.replace(form{})
	c.s.z, c.s.version, c.whole = z, uint64(z.Len()), true
	c.s.setExpires(expires)
	c.s.setDigest(d)
	h.show(z.View())
}

// pairOf returns the sets of two keys, of which the first has members and the second may be changed.
func pairOf(tx *Tx, from, to string) (f, t *handle, err error) {
	if f, err = handleOf(tx, from); err != nil {
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

// writable returns the set of a key that may be changed.
func (tx *Tx) writable(key string) (*handle, error) {
	s, err := handleOf(tx, key)
	if err == nil {
		err = s.writable()
	}
	return s, err
}

// there reports whether the set has members. One on the disk only has.
func (h *handle) there() bool { return h.s.cold() || h.s.z != nil && h.s.z.Len() > 0 }

// put makes the key stand for a set that is new to the log, or for none if that is empty.
func (h *handle) put(z *zset.IntSet, expires int64, d digest) {
	switch {
	case z.Len() > 0:
		h.hold(z, expires, d)
	case h.there():
		h.replace(form{})
	}
}

// adopt makes the key that of a staged set.
func (h *handle) adopt(staged *set) {
	c := &pending{s: staged, version: staged.version, expires: staged.expires()}
	staged.mu.Lock()
	h.tx.adopted = staged.mu.of.Load()
	h.tx.made = append(h.tx.made, c)
	h.release()
	h.give(c)
}

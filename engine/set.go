package engine

import (
	"github.com/zrankdb/zrank/engine/internal/facts"
)

// Set returns the set of a key, and locks it first. One that does not exist is empty; the first member added
// makes it. Errors: ErrNotNamed, ErrTxDone, ErrKind if it has int64 scores.
func (tx *Tx) Set(key string) (*Set, error) {
	h, err := readHandle(tx, key)
	if err != nil {
		return nil, err
	}
	if h.view == nil || h.view.Integers() && h.free() {
		err = h.prepare(facts.Layout{})
	} else if h.view.Integers() {
		err = facts.KindError(key, true)
	}
	if err != nil {
		return nil, err
	}
	return &h.floats, nil
}

// SetTied is Set for a set whose ties have the given width. One that does not exist takes any width while it holds nothing.
// Errors: those of Set, ErrTieWidth if it exists with another.
func (tx *Tx) SetTied(key string, tieWidth int) (*Set, error) {
	h, err := tx.formed(key, facts.Layout{TieWidth: tieWidth})
	if err != nil {
		return nil, err
	}
	return &h.floats, nil
}

// IntSet returns the set of a key with int64 scores, and locks it first. One that does not exist is empty, and takes any
// form while it holds nothing; the first member added makes it. Errors: ErrNotNamed, ErrTxDone, ErrKind if it has float64 scores,
// ErrTieWidth if it has another form, that of zset.Options.Validate for a form that cannot be.
func (tx *Tx) IntSet(key string, f Form) (*IntSet, error) {
	h, err := tx.formed(key, f.layout())
	if err != nil {
		return nil, err
	}
	return &h.ints, nil
}

// formed returns the handle of a key whose set has layout f, or that has no set.
func (tx *Tx) formed(key string, f facts.Layout) (*handle, error) {
	h, err := readHandle(tx, key)
	if err != nil {
		return nil, err
	}
	if h.free() {
		err = h.prepare(f)
	}
	if err == nil && (h.S.Exists || tx.write) {
		err = facts.LayoutOf(h.view).Accepts(key, f)
	}
	return h, err
}

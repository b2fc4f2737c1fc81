package engine

import (
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/zset"
)

// Empty and nothing stand for sets that do not exist, in Views.
var (
	empty   = must(facts.Layout{}.NewSet())
	nothing = pending{S: &keyspace.Set{}}
)

// must returns v. It panics on an error, which options from this package never cause.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// show sets the views of the handle. The view of the set's kind shows the set, the view of the other kind an empty one.
func (h *handle) show(v *zset.IntView) {
	h.view = v
	h.floats.View, h.ints.IntView = (*zset.View)(empty.View()), empty.View()
	if v.Integers() {
		h.ints.IntView = v
	} else {
		h.floats.View = (*zset.View)(v)
	}
}

// handleOf returns the handle of a key. The transaction has locked it, or locks it now.
func handleOf(tx *Tx, key string) (*handle, error) {
	if err := tx.usable(); err != nil {
		return nil, err
	}
	i, ok := tx.find(key)
	if !ok {
		return tx.demand(key)
	}
	h := tx.sets[i]
	if h.view == nil && h.S.Entries != nil {
		h.show(h.S.Entries.View())
	}
	return h, nil
}

// readHandle is HandleOf of a key whose set the transaction has read.
func readHandle(tx *Tx, key string) (*handle, error) {
	h, err := handleOf(tx, key)
	if err == nil && h.blind != nil {
		err = fmt.Errorf("%w: %q", ErrUnread, key)
	}
	return h, err
}

// anyHandle returns the handle of a key whose set may have scores of either kind. A set that does not exist is empty.
func anyHandle(tx *Tx, key string) (*handle, error) {
	h, err := readHandle(tx, key)
	if err == nil && h.view == nil {
		err = h.prepare(facts.Layout{})
	}
	return h, err
}

// prepare gives a key without a set an empty set of a layout.
func (h *handle) prepare(f facts.Layout) error {
	if h.S.Entries != nil && facts.LayoutOf(h.S.Entries.View()) == f {
		return nil
	}
	z, err := f.NewSet()
	if err != nil {
		return err
	}
	h.S.Entries = z
	h.show(z.View())
	return nil
}

// free reports whether the key may get a set of any layout: this is an Update, the key has no set, and nothing has been added.
func (h *handle) free() bool {
	return h.tx.write && !h.S.Exists && (h.view == nil || h.view.Len() == 0)
}

// writable returns an error if the transaction may not change the set.
func (h *handle) writable() error {
	if h.tx.done {
		return ErrTxDone
	}
	if !h.tx.write {
		return ErrReadOnly
	}
	if !h.tx.owner && facts.Reserved(h.key) {
		return facts.ReservedError(h.key)
	}
	return nil
}

// ints reports whether S is int64.
func ints[S zset.Score]() bool { return S(1)/2 == 0 }

// lastSeq is writer.LastSeq.
func (h *handle) lastSeq() uint64 {
	if !h.S.Exists {
		return 0
	}
	return h.S.Changed
}

// lockedBy returns the handles of the keys that a transaction has locked, in the order of keys.
func lockedBy(tx *Tx) []*handle { return tx.sets }

// init sets up the handle of a set that the transaction has locked.
func (h *handle) init(tx *Tx, key string, s *keyspace.Set, l *locks.Lock) {
	*h = handle{tx: tx, key: key, lock: l, own: pending{S: s, owner: h, version: s.Version, expires: s.Expires(), sum: s.Digest().Sum}}
	h.floats.h, h.ints.h = h, h
	_, h.named = slices.BinarySearch(tx.blind, key)
	h.own.undo.Share(&tx.texts)
	h.pending = &h.own
}

// nextHandle returns memory for one more handle. Those that the transaction has stay where they are.
func (tx *Tx) nextHandle() *handle {
	n := len(tx.several.handles)
	if n == cap(tx.several.handles) {
		tx.several.handles, n = make([]handle, 0, max(2*n, 1)), 0
	}
	tx.several.handles = tx.several.handles[:n+1]
	return &tx.several.handles[n]
}

// makeHandles gives the transaction handles for n keys. It allocates nothing for one key.
func (tx *Tx) makeHandles(n int) {
	tx.made = nil
	if n == 1 {
		tx.one.list[0] = &tx.one.handle
		tx.sets = tx.one.list[:]
		return
	}
	tx.several.handles = slices.Grow(tx.several.handles[:0], n)[:n]
	tx.several.list = slices.Grow(tx.several.list[:0], n)
	for i := range tx.several.handles {
		tx.several.list = append(tx.several.list, &tx.several.handles[i])
	}
	tx.sets = tx.several.list
}

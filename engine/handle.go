package engine

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/zrankdb/zrank/zset"
)

// handle is a key inside a transaction: what Set and IntSet have in common. The engine itself works on handles and on scores as
// zset.As shows them, whatever kind they are; only Set speaks float64.
type handle struct {
	tx       *Tx
	key      string
	lock     *sync.RWMutex // the key's
	*pending               // what the key stands for now
	own      pending
	view     *zset.IntView // of what it stands for; nil: nobody has looked yet
	floats   Set
	ints     IntSet
}

// empty and nothing stand for sets that do not exist, in Views.
var (
	empty   = must(form{}.set())
	nothing = pending{s: &set{}}
)

// must is for options of our own.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// show lets callers see a set, those that have asked for its kind. To others the key has nothing.
func (h *handle) show(v *zset.IntView) {
	h.view = v
	h.floats.View, h.ints.IntView = (*zset.View)(empty.View()), empty.View()
	if v.Integers() {
		h.ints.IntView = v
	} else {
		h.floats.View = (*zset.View)(v)
	}
}

// handleOf finds a key among those the transaction has locked.
func handleOf(tx *Tx, key string) (*handle, error) {
	if tx.done {
		return nil, ErrTxDone
	}
	i, ok := slices.BinarySearchFunc(tx.sets, key, func(h *handle, key string) int { return strings.Compare(h.key, key) })
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrNotNamed, key)
	}
	h := tx.sets[i]
	if h.view == nil && h.s.z != nil {
		h.show(h.s.z.View())
	}
	return h, nil
}

// anyHandle returns a key whose set may have scores of either kind. One that does not exist is empty.
func anyHandle(tx *Tx, key string) (*handle, error) {
	h, err := handleOf(tx, key)
	if err == nil && h.view == nil {
		err = h.prepare(form{})
	}
	return h, err
}

// prepare gives a key that stands for nothing an empty set of a form.
func (h *handle) prepare(f form) error {
	if h.s.z != nil && formOf(h.s.z.View()) == f {
		return nil
	}
	z, err := f.set()
	if err != nil {
		return err
	}
	h.s.z = z
	h.show(z.View())
	return nil
}

// free reports whether the key, in an Update, may get a set of any form: it stands for none, and nothing has been added.
func (h *handle) free() bool {
	return h.tx.write && !h.s.exists && (h.view == nil || h.view.Len() == 0)
}

// writable says why the set may not be changed, or nil.
func (h *handle) writable() error {
	if h.tx.done {
		return ErrTxDone
	}
	if !h.tx.write {
		return ErrReadOnly
	}
	if !h.tx.owner && Reserved(h.key) {
		return reservedError(h.key)
	}
	return nil
}

// ints reports whether S is int64.
func ints[S zset.Score]() bool { return S(1)/2 == 0 }

// lastSeq is writer.LastSeq.
func (h *handle) lastSeq() uint64 {
	switch {
	case !h.s.exists:
		return 0
	case h.s.changed == 0: // since the snapshot that it was opened from
		return h.s.base
	}
	return h.s.changed
}

// lockedBy returns the keys that a transaction has locked, in order.
func lockedBy(tx *Tx) []*handle { return tx.sets }

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

// writer is the writing half of Set and of IntSet. Its methods refuse a set of the other kind: the key may have got one since.
type writer[S zset.Score] struct{ *handle }

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

// named finds a key among those the transaction has locked.
func (tx *Tx) named(key string) (*handle, error) {
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

// any returns a key whose set may have scores of either kind. One that does not exist is empty.
func (tx *Tx) any(key string) (*handle, error) {
	h, err := tx.named(key)
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

// Key returns the set's key.
func (h *handle) Key() string { return h.key }

// ID returns what tells the set from others for as long as it exists: its key when it was made, most of the time, and the same when
// it has been renamed since. The set of a key that is made anew may have the ID of the one before. O(1).
func (h *handle) ID() string { return h.s.id() }

// Version returns how many changes the set has seen since it was made, the transaction's own included: it rises with every
// change, and across restarts. It orders what happened to the set. A transaction that leaves the set as it was leaves the
// version too. A set that is made anew counts from 0 again, or, stored whole, from the number of its members: what tells a set
// from one before it under the same key is LastSeq.
// O(1).
func (h *handle) Version() uint64 { return h.s.version }

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

// writable is handle.writable, but for sets of the other kind.
func (w writer[S]) writable() error {
	if err := w.handle.writable(); err != nil {
		return err
	}
	if w.view.Integers() != ints[S]() {
		return kindError(w.key, !ints[S]())
	}
	return nil
}

// change runs f, which changes the member, and remembers how to take it back.
func (w writer[S]) change(member []byte, f func(z *zset.SetOf[S]) error) error {
	if err := w.writable(); err != nil {
		return err
	}
	w.touched.remember(w.view, member)
	w.s.version++
	w.s.z.SetListpack(w.tx.e.limits.get())
	return f(zset.As[S](w.s.z))
}

// shown returns what callers who have asked for the kind see.
func (w writer[S]) shown() *zset.ViewOf[S] {
	if ints[S]() {
		return (*zset.ViewOf[S])(w.ints.IntView)
	}
	return (*zset.ViewOf[S])(w.floats.View)
}

package engine

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/zrankdb/zrank/zset"
)

// Set is a sorted set inside a transaction. It has the reading methods of zset.View, and changes that commit with the
// transaction. It is valid until the closure returns.
//
// What zset says of walking holds here: a walk (Range, RevRange) must not change the set it walks, and the members and ties
// that it hands out alias the set until its next change. Collect first with Append, which copies, then change. Other sets of
// the transaction may change meanwhile.
type Set struct {
	*zset.View
	tx       *Tx
	key      string
	lock     *sync.RWMutex // the key's
	*pending               // what the key stands for now
	own      pending
}

// empty and nothing stand for sets that do not exist, in Views.
var (
	empty   = must(zset.New(zset.Options{}))
	nothing = pending{s: &set{}}
)

// must is for options of our own.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Set returns the set of a key that the transaction has named. One that does not exist is empty; the first member added
// makes it. Errors: ErrNotNamed, ErrTxDone.
func (tx *Tx) Set(key string) (*Set, error) {
	s, err := tx.named(key)
	if err == nil && s.View == nil {
		err = s.prepare(0)
	}
	return s, err
}

// SetTied is Set for a set whose ties have the given width. One that does not exist takes any width while it holds nothing.
// Errors: those of Set, ErrTieWidth if it exists with another.
func (tx *Tx) SetTied(key string, tieWidth int) (*Set, error) {
	s, err := tx.named(key)
	if err != nil {
		return nil, err
	}
	if tx.write && !s.s.exists && (s.View == nil || s.Len() == 0) {
		if err := s.prepare(tieWidth); err != nil {
			return nil, err
		}
	}
	if (s.s.exists || tx.write) && s.TieWidth() != tieWidth {
		return nil, fmt.Errorf("%w: %q has %d, not %d", ErrTieWidth, key, s.TieWidth(), tieWidth)
	}
	return s, nil
}

// named finds a set among those the transaction has locked.
func (tx *Tx) named(key string) (*Set, error) {
	if tx.done {
		return nil, ErrTxDone
	}
	i, ok := slices.BinarySearchFunc(tx.sets, key, func(s *Set, key string) int { return strings.Compare(s.key, key) })
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrNotNamed, key)
	}
	s := tx.sets[i]
	if s.View == nil && s.s.z != nil {
		s.View = s.s.z.View()
	}
	return s, nil
}

// prepare gives a set that holds nothing an empty zset with ties of the given width.
func (s *Set) prepare(tieWidth int) error {
	if s.s.z != nil && s.s.z.TieWidth() == tieWidth {
		return nil
	}
	z, err := zset.New(zset.Options{TieWidth: tieWidth})
	if err != nil {
		return err
	}
	s.s.z, s.View = z, z.View()
	return nil
}

// Key returns the set's key.
func (s *Set) Key() string { return s.key }

// ID returns what tells the set from others for as long as it exists: its key when it was made, most of the time, and the same when
// it has been renamed since. The set of a key that is made anew may have the ID of the one before. O(1).
func (s *Set) ID() string { return s.s.id() }

// Version returns how many changes the set has seen since it was made, the transaction's own included: it rises with every
// change, and across restarts. It orders what happened to the set. A transaction that leaves the set as it was leaves the
// version too. A set that is made anew counts from 0 again: what tells a set from one before it under the same key is LastSeq.
// O(1).
func (s *Set) Version() uint64 { return s.s.version }

// writable says why the set may not be changed, or nil.
func (s *Set) writable() error {
	if s.tx.done {
		return ErrTxDone
	}
	if !s.tx.write {
		return ErrReadOnly
	}
	return nil
}

// change runs f, which changes the member, and remembers how to take it back.
func (s *Set) change(member []byte, f func() error) error {
	if err := s.writable(); err != nil {
		return err
	}
	s.touched.remember(s.View, member)
	s.s.version++
	return f()
}

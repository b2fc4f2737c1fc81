package engine

import (
	"context"
	"fmt"
	"math"

	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/waitqueue"
	"github.com/zrankdb/zrank/zset"
)

// serve pops for the calls that wait for the transaction's sets (W1). The transaction has committed and still holds its locks.
func (tx *Tx) serve() {
	if tx.m.waiters.N.Load() == 0 {
		return
	}
	for w := tx.firstWaiter(); w != nil; w = tx.firstWaiter() {
		if w.Take() {
			w.Answer <- popFor(tx, w)
		}
	}
}

// firstWaiter returns the call that has waited longest for one of the sets that have members now, or nil.
func (tx *Tx) firstWaiter() (first *waitqueue.Waiter) {
	for _, s := range tx.sets {
		if !s.hasMembers() {
			continue
		}
		w := tx.m.waiters.First(s.key)
		if w != nil && (first == nil || w.Ticket < first.Ticket) {
			first = w
		}
	}
	return first
}

// hasMembers reports whether the set holds anything now.
func (h *handle) hasMembers() bool { return h.S.Exists && h.S.Entries != nil && h.S.Entries.Len() > 0 }

// popFor pops for a waiter from the first of its sets with members that tx has locked. The pop is a commit by itself.
func popFor(tx *Tx, w *waitqueue.Waiter) (a waitqueue.Served) {
	for _, key := range w.Keys {
		i, locked := tx.find(key)
		if !locked || !tx.sets[i].hasMembers() {
			continue
		}
		s := tx.sets[i]
		own := tx.m.newTx(context.Background(), write)
		own.now = tx.now
		own.next = math.MaxInt64 // lets no guests in: tx has the locks, and its own before-images
		own.makeHandles(1)
		own.sets[0].init(own, key, s.S, s.lock)
		own.sets[0].show(s.S.Entries.View())
		a.Key = key
		if a.Entries, a.Err = popOf(w, &own.sets[0].floats); a.Err == nil {
			a.Seq, a.Err = own.commit()
		}
		own.counted(a.Err == nil)
		if a.Err != nil {
			own.rollback()
			a = waitqueue.Served{Err: fmt.Errorf("engine: pop from %q: %w", key, locks.ClosedError(a.Err))}
		}
		own.sets[0].own.undo.Release()
		return a
	}
	return a
}

// popOf pops what a waiter wants from a set.
func popOf(w *waitqueue.Waiter, s *Set) ([]zset.Entry, error) {
	if w.Max {
		return s.PopMax(w.N)
	}
	return s.PopMin(w.N)
}

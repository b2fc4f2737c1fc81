package engine

import (
	"fmt"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/zset"
)

// popOf pops what a waiter wants from a set.
func popOf(w *waiter, s *Set) ([]zset.Entry, error) {
	if w.max {
		return s.PopMax(w.n)
	}
	return s.PopMin(w.n)
}

// popOrEnter pops from the first set that has members; if none has, it puts the waiter in line.
func (m *manager) popOrEnter(w *waiter) (a served, err error) {
	a.seq, err = m.run(m.newTx(write), w.keys, func(tx *Tx) error {
		for _, key := range w.keys {
			s, err := tx.Set(key)
			if err != nil {
				return err
			}
			if s.Len() > 0 {
				if invariants.Enabled && m.waiters.first(key) != nil {
					invariants.Violated("engine", "W1", fmt.Sprintf("somebody waits for %q, which has members", key), s.Len())
				}
				a.key = key
				a.entries, err = popOf(w, s)
				return err
			}
		}
		m.waiters.enter(w)
		return nil
	})
	return a, err
}

// serve hands over what the transaction, which is committed and still holds its sets, has left where somebody waits (W1).
func (tx *Tx) serve() {
	if tx.m.waiters.n.Load() == 0 {
		return
	}
	for w := tx.firstWaiter(); w != nil; w = tx.firstWaiter() {
		if w.take() {
			w.answer <- popFor(tx, w)
		}
	}
}

// firstWaiter returns who has waited for longest for one of the sets that have members now, or nil.
func (tx *Tx) firstWaiter() (first *waiter) {
	for _, s := range tx.sets {
		if !s.hasMembers() {
			continue
		}
		w := tx.m.waiters.first(s.key)
		if w != nil && (first == nil || w.ticket < first.ticket) {
			first = w
		}
	}
	return first
}

// hasMembers reports whether the set holds anything now.
func (h *handle) hasMembers() bool { return h.s.exists && h.s.z != nil && h.s.z.Len() > 0 }

// popFor pops for a waiter, in a commit of its own.
func popFor(tx *Tx, w *waiter) (a served) {
	for _, key := range w.keys {
		s, err := handleOf(tx, key)
		if err != nil || !s.hasMembers() {
			continue // not a key of this transaction: nobody has left anything there
		}
		own := tx.m.newTx(write)
		own.now = tx.now
		own.makeHandles(1)
		own.sets[0].init(own, key, s.s, s.lock)
		own.sets[0].show(s.s.z.View())
		a.key = key
		if a.entries, a.err = popOf(w, &own.sets[0].floats); a.err == nil {
			a.seq, a.err = own.commit()
		}
		own.counted(a.err == nil)
		if a.err != nil {
			own.rollback()
			a = served{err: fmt.Errorf("engine: pop from %q: %w", key, closedError(a.err))}
		}
		own.sets[0].own.undo.release()
		return a
	}
	return a
}

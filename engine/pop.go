package engine

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/engine/internal/waitqueue"
	"github.com/zrankdb/zrank/internal/invariants"
)

// popOrEnter pops from the first set that has members. If none has, the waiter enters the queues of its keys, and a.Key is empty.
func (m *manager) popOrEnter(w *waitqueue.Waiter) (a waitqueue.Served, err error) {
	a.Seq, err = m.run(m.newTx(context.Background(), write), w.Keys, func(tx *Tx) error {
		for _, key := range w.Keys {
			s, err := tx.Set(key)
			if err != nil {
				return err
			}
			if s.Len() > 0 {
				if invariants.Enabled && m.waiters.First(key) != nil {
					invariants.Violated("engine", "W1", fmt.Sprintf("a call waits for %q, which has members", key), s.Len())
				}
				a.Key = key
				a.Entries, err = popOf(w, s)
				return err
			}
		}
		m.waiters.Enter(w)
		return nil
	})
	return a, err
}

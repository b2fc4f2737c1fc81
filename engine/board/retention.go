package board

import (
	"fmt"

	"github.com/zrankdb/zrank/engine"
)

// retain drops the closed periods that a window does not keep, and plans when the window is due next.
func retain(b *core, st *state, t *timeline) error {
	defer b.lockClosing()()
	err := dropSurplus(b, st, t)
	if err == nil {
		t.planDue()
	}
	return err
}

// dropSurplus drops the oldest closed periods of a window, as many as exceed Window.Keep. The caller holds Board.closing.
func dropSurplus(b *core, st *state, t *timeline) error {
	for r := t.surplus(); r != nil; r = t.surplus() {
		if err := dropPeriod(b, st, t, r); err == errAgain {
			return err
		} else if err != nil {
			t.setDueNow()
			return fmt.Errorf("dropping %s of %q, window %s: %w", r.Period, st.name, t.Window.Name, err)
		}
		b.log().Info("board: period dropped", "board", st.name, "window", t.Window.Name, "period", r.Period, "members", r.Members)
	}
	return nil
}

// dropPeriod drops a closed period. One commit deletes its record and stores an intent; its set and metadata go after that. The record
// stays in memory until they are deleted, so that a failed call is repeated.
func dropPeriod(b *core, st *state, t *timeline, r *record) error {
	err := b.owner().Update(nil, func(tx *engine.Tx) error {
		if b.checkWritable(st) != nil {
			return errAgain
		}
		if err := tx.Delete(recordKey(st.name, t.Window.Name, r.Period)); err != nil {
			return err
		}
		return tx.Put(deletionKey(st.name, t.Window.Name, r.Period), []byte(t.key(r.Period)))
	})
	if err != nil {
		b.in().deleter.setPending() // the intent may be stored: see engine.ErrStalled
		return err
	}
	if err := b.in().deleter.finish(st.name, t.Window.Name, r.Period, t.key(r.Period)); err != nil {
		return err
	}
	t.removeRecord(r)
	return nil
}

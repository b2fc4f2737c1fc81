package closing

import (
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// retain drops the closed periods that a window does not keep, and plans when the window is due next.
func retain(b *catalog.Board, st *state.State, t *state.Timeline) error {
	defer b.LockClosing()()
	err := dropSurplus(b, st, t)
	if err == nil {
		t.PlanDue()
	}
	return err
}

// dropSurplus drops the oldest closed periods of a window, as many as exceed Window.Keep. The caller holds Board.closing.
func dropSurplus(b *catalog.Board, st *state.State, t *state.Timeline) error {
	for r := t.Surplus(); r != nil; r = t.Surplus() {
		if err := dropPeriod(b, st, t, r); err == errs.ErrAgain {
			return err
		} else if err != nil {
			t.SetDueNow()
			return fmt.Errorf("dropping %s of %q, window %s: %w", r.Period, st.Name, t.Window.Name, err)
		}
		b.Log().Info("board: period dropped", "board", st.Name, "window", t.Window.Name, "period", r.Period, "members", r.Members)
	}
	return nil
}

// dropPeriod drops a closed period. One commit deletes its record and stores an intent; its sets and metadata go after that. The record
// stays in memory until they are deleted, so that a failed call is repeated.
func dropPeriod(b *catalog.Board, st *state.State, t *state.Timeline, r *state.Record) error {
	keys := t.DropKeys(r.Period)
	err := b.Owner().Update(nil, func(tx *engine.Tx) error {
		if b.CheckWritable(st) != nil {
			return errs.ErrAgain
		}
		if err := tx.Delete(boardkey.Record(st.Name, t.Window.Name, r.Period)); err != nil {
			return err
		}
		return tx.Put(boardkey.Deletion(st.Name, t.Window.Name, r.Period), boardkey.JoinKeys(keys))
	})
	if err != nil {
		b.Env().Deleter.SetPending() // the intent may be stored: see engine.ErrStalled
		return err
	}
	if err := b.Env().Deleter.Finish(st.Name, t.Window.Name, r.Period, keys...); err != nil {
		return err
	}
	t.RemoveRecord(r)
	return nil
}

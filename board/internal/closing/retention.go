package closing

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// retain drops the closed periods that a window does not keep, and plans when the window is due next.
func retain(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline) error {
	defer b.LockClosing()()
	err := dropSurplus(ctx, b, st, t)
	if err == nil {
		t.PlanDue()
	}
	return err
}

// dropSurplus drops the oldest closed periods of a window, as many as exceed Window.Keep. The caller holds Board.closing.
func dropSurplus(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline) error {
	for r := t.Surplus(); r != nil; r = t.Surplus() {
		if err := dropPeriod(ctx, b, st, t, r); err == state.ErrAgain {
			return err
		} else if err != nil {
			t.SetDueNow()
			return fmt.Errorf("dropping %s of %q, window %s: %w", r.Period, st.Name, t.Window.Name, err)
		}
	}
	return dropClaimed(ctx, b, st, t)
}

// dropClaimed drops the awards of periods that are not kept any more once nobody can claim them.
func dropClaimed(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline) error {
	for _, s := range t.Settlements() {
		if t.RecordOf(s.Period) == nil && settlement.AreClaimed(b, s) {
			if err := dropAwards(ctx, b, st, t, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropAwards drops the awards of a period that is not kept any more.
func dropAwards(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, s *state.Settlement) error {
	s.Working.Lock()
	defer s.Working.Unlock()
	if !settlement.AreClaimed(b, s) { // one has been released meanwhile
		return nil
	}
	return drop(ctx, b, st, t, s.Period, nil, s)
}

// dropPeriod drops a closed period, and its awards unless some can still be claimed. It does nothing if the period has awards to be settled or delivered
// again, since Surplus has looked.
func dropPeriod(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, r *state.Record) error {
	awards := t.SettlementOf(r.Period)
	if awards != nil {
		awards.Working.Lock()
		defer awards.Working.Unlock()
		if awards.Holds() {
			return nil
		}
		if !settlement.AreClaimed(b, awards) {
			awards = nil
		}
	}
	if err := drop(ctx, b, st, t, r.Period, t.DropKeys(r.Period), awards); err != nil {
		return err
	}
	t.RemoveRecord(r)
	b.MakeHistoryStale()
	b.Log().Info("board: period dropped", "board", st.Name, "window", t.Window.Name, "period", r.Period, "members", r.Members)
	return nil
}

// drop drops sets of a period, and its awards unless they are nil. One commit deletes the records and stores an intent; sets and metadata go after that. What
// is in memory stays until they are deleted, so that a failed call is repeated. The caller holds Working of the awards.
func drop(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, period string, keys []string, awards *state.Settlement) error {
	if awards != nil {
		keys = append(keys, awards.Key)
	}
	err := b.Owner().Update(ctx, nil, func(tx *engine.Tx) error {
		if b.CheckWritable(st) != nil {
			return state.ErrAgain
		}
		if err := tx.Delete(boardkey.Record(st.Name, t.Window.Name, period)); err != nil {
			return err
		}
		if awards != nil {
			if err := settlement.DeleteIn(tx, st.Name, awards); err != nil {
				return err
			}
		}
		return tx.Put(boardkey.Deletion(st.Name, t.Window.Name, period), boardkey.JoinKeys(keys))
	})
	if err != nil {
		b.Env().Deleter.SetPending() // the intent may be stored: see engine.ErrStalled
		return err
	}
	if err := b.Env().Deleter.Finish(ctx, st.Name, t.Window.Name, period, keys...); err != nil {
		return err
	}
	if awards != nil {
		awards.Dropped = true
		t.RemoveSettlement(awards)
	}
	return nil
}

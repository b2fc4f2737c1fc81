package leagues

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// SettleDue settles the cohorts of closed periods, in the order in which they ended, and returns
// the number of cohorts that it has settled. Then it empties the queues of open periods. It leaves
// out boards that are being migrated. Errors: that of ctx, those of the engine, joined.
func SettleDue(ctx context.Context, c *catalog.Catalog) (settled int, err error) {
	var all []work
	for _, b := range c.All() {
		all = append(all, works(b, b.State())...)
	}
	slices.SortStableFunc(all, func(a, b work) int { return time.UnixMicro(a.p.End).Compare(time.UnixMicro(b.p.End)) })
	var failures []error
	failed := map[*state.Timeline]bool{} // windows with a period that could not be settled: their later periods wait
	for _, w := range all {
		if failed[w.t] {
			continue
		}
		n, err := w.run(ctx)
		settled, failed[w.t] = settled+n, err != nil
		switch {
		case ctx.Err() != nil:
			return settled, ctx.Err()
		case err != nil && err != state.ErrAgain:
			failures = append(failures, fmt.Errorf("settling the cohorts of %s of %q, window %s: %w", w.p.Period, w.st.Name, w.t.Window.Name, err))
		}
	}
	for _, b := range c.All() {
		if err := emptyQueue(ctx, b, b.State()); err != nil && err != state.ErrAgain {
			failures = append(failures, fmt.Errorf("putting the members of %q into cohorts: %w", b.State().Name, err))
		}
	}
	return settled, errors.Join(failures...)
}

// SettleBoard is SettleDue of one board. Errors: that of ctx, ErrClosed, ErrNoBoard, those of the engine.
func SettleBoard(ctx context.Context, b *catalog.Board) error {
	return b.Retry(func(st *state.State) error { return Settle(ctx, b, st) })
}

// Settle is SettleBoard of a board in a state. Error: ErrAgain if it has another one, and those of SettleBoard.
func Settle(ctx context.Context, b *catalog.Board, st *state.State) error {
	for _, w := range works(b, st) {
		if _, err := w.run(ctx); err != nil {
			return err
		}
	}
	return emptyQueue(ctx, b, st)
}

// emptyQueue puts the members in the queue of the first open period into cohorts, if the cohorts of
// all earlier periods are settled. Error: ErrAgain if the board is being migrated or dropped, that
// of ctx, those of the engine.
func emptyQueue(ctx context.Context, b *catalog.Board, st *state.State) error {
	for t, slot := range st.OpenPeriods {
		if !t.HasCohorts || t.IsReady(slot) || !t.IsNext(slot) || !AreSettled(st) {
			continue
		}
		if err := (work{b: b, st: st, t: t, slot: slot}).emptyQueue(ctx); err != nil {
			return err
		}
		t.SetReady(slot)
	}
	return nil
}

// AreSettled reports whether the cohorts of all closed periods of a board are settled.
func AreSettled(st *state.State) bool { return len(works(nil, st)) == 0 }

// works returns the closed periods of a board whose cohorts are not settled, in order of time.
func works(b *catalog.Board, st *state.State) (list []work) {
	for _, t := range st.Timelines {
		for _, p := range t.Promoting() {
			if w, err := newWork(b, st, t, p); err == nil { // the window has all its periods
				list = append(list, w)
			}
		}
	}
	return list
}

// run empties the queue of a period, settles all of its cohorts, and returns their number. The
// earlier periods are settled. Error: ErrAgain if the board is being migrated or dropped.
func (w work) run(ctx context.Context) (settled int, err error) {
	w.p.Working.Lock()
	defer w.p.Working.Unlock()
	if err := w.emptyQueue(ctx); err != nil {
		return 0, err
	}
	for from := number(0); ; from++ {
		done, more := false, false
		begin := time.Now()
		if from, done, more, err = w.step(ctx, from); err != nil || !more {
			break
		}
		if done {
			settled++
		}
		if err := catalog.Rest(ctx, begin); err != nil {
			return settled, err
		}
	}
	if err != nil {
		return settled, err
	}
	return settled, w.end(ctx)
}

// step settles the next cohort. more is false if there is none. The commit need not be on the disk: after a crash the cohort is settled again.
func (w work) step(ctx context.Context, from number) (n number, done, more bool, err error) {
	err = w.held(func() (err error) {
		if n, more, err = w.next(ctx, from); err == nil && more {
			done, err = w.update(ctx, n, w.b.Owner().UpdateLater)
		}
		return err
	})
	return n, done, more, err
}

// end stores that the cohorts of the period are settled (CO5), and lets its sets leave memory. Those of a period without a record, which nobody can read, are
// deleted.
func (w work) end(ctx context.Context) error {
	key := boardkey.Cohorts(w.st.Name, w.t.Window.Name, w.p.Period)
	release, ok := w.b.TryHoldState()
	if !ok {
		return state.ErrAgain
	}
	defer release()
	if w.t.PromotingOf(w.p.Period) != w.p {
		return nil
	}
	recorded := false // as stored: whoever closes the period may not have told the window of its record yet
	err := w.b.Engine().View(ctx, func(tx *engine.Tx) (err error) {
		_, recorded, err = tx.Get(boardkey.Record(w.st.Name, w.t.Window.Name, w.p.Period))
		return err
	})
	if err == nil && !recorded {
		_, err = w.b.Owner().Delete(ctx, w.slot.CohortKey)
	}
	if err != nil {
		return err
	}
	err = w.b.Owner().Update(ctx, nil, func(tx *engine.Tx) error { return tx.Delete(key) })
	if err != nil {
		return err
	}
	w.t.RemovePromoting(w.p)
	w.t.SetDueNow() // it may be dropped
	w.b.Log().Info("board: cohorts settled", "board", w.st.Name, "window", w.t.Window.Name, "period", w.p.Period)
	return w.b.Engine().Unload(w.t.SetKeys(w.p.Period)...)
}

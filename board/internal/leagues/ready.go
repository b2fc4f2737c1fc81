package leagues

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Ready makes a member ready to be put into a cohort of an open period (CO4): it settles the
// cohorts of the member in earlier periods that are not settled, unless such a period has a queue,
// or one is open. O(1) if all of them are settled. Errors: those of the engine.
func Ready(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot, member []byte) error {
	if !t.IsNext(slot) {
		return nil
	}
	for _, p := range t.Promoting() {
		w, err := newWork(b, st, t, p)
		if err != nil {
			return err
		}
		n, ok, err := w.unsettledOf(ctx, member)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if _, err := w.update(ctx, n, b.Owner().Update); err != nil {
			return err
		}
	}
	return nil
}

// unsettledOf returns the cohort of a member, and false if it has none, one that is settled, or one
// that may get further members.
func (w work) unsettledOf(ctx context.Context, member []byte) (n number, ok bool, err error) {
	err = w.b.Engine().View(ctx, func(tx *engine.Tx) error {
		set, err := open(tx, w.slot.CohortKey)
		if err != nil {
			return err
		}
		score, in := set.Score(member)
		var o board.Zone
		n, o = split(score)
		ok = in && o == board.Unsettled && !hasQueue(set.IntView)
		return nil
	}, w.slot.CohortKey)
	return n, ok, err
}

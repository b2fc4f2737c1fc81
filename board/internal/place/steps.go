package place

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
)

// IsStepDue reports whether Put has made a step of the ranking due, or has found one due: entries that move between sets. had says whether the member had an
// entry before.
func (p *Place) IsStepDue(had bool) bool {
	switch {
	case p.hidden:
		return false
	case p.tail != nil:
		return p.tail.IsStepDue()
	case p.Division == nil || p.Slot.Parts.Limit == 0:
		return false
	case !p.Division.IsSteady():
		return true
	}
	home, _ := p.Division.Homes(p.Member)
	return !had && p.Division.IsFull(home, p.set.Len(), p.Slot.Parts.Limit)
}

// Maintain makes the steps that are due, after the commit: so their errors are logged only. The caller is in no transaction.
func (p *Place) Maintain(ctx context.Context, b *catalog.Board, st *state.State) {
	var err error
	switch {
	case tail.Has(p.T):
		err = tail.Maintain(ctx, b, st, p.T, p.Slot, p.Member)
	case p.Slot.Parts != nil:
		err = stepParts(ctx, b, st, p.T, p.Slot)
	}
	if err != nil {
		b.Log().Error("board: entries cannot be moved", "board", st.Name, "err", err)
	}
}

package submit

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/leagues"
)

// readyLeague makes the member ready to be put into a cohort: the earlier periods are closed, and its cohorts there settled. The caller is in no transaction. Errors:
// ErrAgain, those of the engine.
func (p *plan) readyLeague(ctx context.Context) error {
	for i, t := range p.lines {
		slot := p.slots[i]
		if !t.HasCohorts || t.IsReady(slot) || !t.Accepts(slot, p.b.Engine().Now()) {
			continue
		}
		if err := p.b.Env().CheckNotInTx(); err != nil {
			return err
		}
		if len(t.OpenBefore(slot.Start.UnixMicro())) > 0 {
			if err := closing.CloseBoard(ctx, p.b); err != nil {
				return err
			}
			if len(t.OpenBefore(slot.Start.UnixMicro())) > 0 { // it is being migrated
				return errs.ErrAgain
			}
		}
		if err := leagues.Ready(ctx, p.b, p.st, t, slot, p.member); err != nil {
			return err
		}
	}
	return nil
}

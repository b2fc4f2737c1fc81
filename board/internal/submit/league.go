package submit

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/state"
)

// readyLeague makes the member ready to be put into a cohort: the earlier periods are closed, and
// its cohorts there settled. The caller is in no transaction. Errors: ErrAgain, those of the
// engine.
func (p *plan) readyLeague(ctx context.Context) error {
	for t, slot := range p.periods {
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
				return state.ErrAgain
			}
		}
		if err := leagues.Ready(ctx, p.b, p.st, t, slot, p.member); err != nil {
			return err
		}
	}
	return nil
}

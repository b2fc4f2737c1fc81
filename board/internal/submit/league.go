package submit

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/internal/leagues"
)

// readyLeague makes the member ready to be put into a cohort, if the earlier periods take no more
// results: they are closed, and its cohorts there settled. The caller is in no transaction. Errors:
// those of the engine.
func (p *plan) readyLeague(ctx context.Context) error {
	for t, slot := range p.periods {
		if !t.HasCohorts || t.IsReady(slot) || !t.Accepts(slot, p.b.Engine().Now()) {
			continue
		}
		if err := p.b.Env().CheckNotInTx(); err != nil {
			return err
		}
		t.NoteBefore(slot)
		if !t.IsNext(slot) {
			if err := closing.CloseBoard(ctx, p.b); err != nil {
				return err
			}
		}
		if err := leagues.Ready(ctx, p.b, p.st, t, slot, p.member); err != nil {
			return err
		}
	}
	return nil
}

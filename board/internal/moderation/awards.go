package moderation

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/engine"
)

// withholdAwards withholds the awards of the member that wait.
func withholdAwards(ctx context.Context, r *run) (done bool, err error) {
	if r.dry != nil {
		r.dry.Awards, err = settlement.Count(ctx, r.b, string(r.j.Member), settlement.Waits)
		return true, err
	}
	err = settlement.WithholdAll(ctx, r.b, string(r.j.Member), r.j.Reason, r.countWithheld)
	return err == nil, err
}

// countWithheld counts an award in the audit log, in the transaction that withholds it.
func (r *run) countWithheld(tx *engine.Tx) error {
	return auditlog.AddAwards(tx, r.b.State().Name, r.j.Entry, 1)
}

package moderation

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/settlement"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// withholdAwards withholds the awards of the member that wait.
func withholdAwards(_ context.Context, r *run) (done bool, err error) {
	n, err := settlement.WithholdAll(r.b, string(r.j.Member), r.j.Reason)
	if n == 0 {
		return err == nil, err
	}
	return err == nil, r.b.Retry(func(st *state.State) error {
		return errors.Join(err, r.update(st, nil, func(tx *engine.Tx) error { return auditlog.AddAwards(tx, st.Name, r.j.Entry, n) }))
	})
}

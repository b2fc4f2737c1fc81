package moderation

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/engine"
)

// Audit iterates over the audit log: see Board.Audit.
func Audit(ctx context.Context, b *catalog.Board, f audit.Filter) iter.Seq2[audit.Entry, error] {
	st, err := b.Readable()
	if err == nil {
		err = b.Env().CheckNotInTx()
	}
	if err != nil {
		return func(yield func(audit.Entry, error) bool) { yield(audit.Entry{}, err) }
	}
	return auditlog.All(ctx, b.Engine(), st.Name, f)
}

// AuditPlaces returns the places of an entry: see Board.AuditPlaces.
func AuditPlaces(ctx context.Context, b *catalog.Board, number uint64) (list []board.Place, err error) {
	st, err := b.Readable()
	if err != nil {
		return nil, err
	}
	err = b.Engine().View(ctx, func(tx *engine.Tx) error {
		e, err := auditlog.Get(tx, st.Name, number)
		if err == nil {
			list, err = auditlog.Places(tx, st.Name, e)
		}
		return err
	})
	return list, err
}

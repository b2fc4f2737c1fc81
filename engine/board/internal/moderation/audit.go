package moderation

import (
	"iter"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
)

// Audit iterates over the audit log: see Board.Audit.
func Audit(b *catalog.Board, f auditlog.Filter) iter.Seq2[auditlog.Entry, error] {
	st, err := b.Readable()
	if err == nil {
		err = b.Env().CheckNotInTx()
	}
	if err != nil {
		return func(yield func(auditlog.Entry, error) bool) { yield(auditlog.Entry{}, err) }
	}
	return auditlog.All(b.Engine(), st.Name, f)
}

// AuditPlaces returns the places of an entry: see Board.AuditPlaces.
func AuditPlaces(b *catalog.Board, number uint64) (list []auditlog.Place, err error) {
	st, err := b.Readable()
	if err != nil {
		return nil, err
	}
	err = b.Engine().View(nil, func(tx *engine.Tx) error {
		e, err := auditlog.Get(tx, st.Name, number)
		if err == nil {
			list, err = auditlog.Places(tx, st.Name, e)
		}
		return err
	})
	return list, err
}

package auditlog

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
)

// Wants reports whether the filter selects an entry. hash is that of Filter.Member.
func Wants(f *audit.Filter, e *audit.Entry, hash string) bool {
	isMember := f.Member == "" || e.Member == f.Member || e.To == f.Member || hash != "" && (e.Hash == hash || e.ToHash == hash)
	return isMember && (f.By == "" || e.By == f.By) && (f.Kind == "" || e.Kind == f.Kind) && !e.At.Before(f.Since) && (f.Until.IsZero() || e.At.Before(f.Until))
}

// page is the number of entries that one View reads.
const page = 256

// All iterates over the entries of the log of a board that a filter selects, in order. It yields at most one error, at the end.
func All(ctx context.Context, e *engine.Engine, boardName string, f audit.Filter) iter.Seq2[audit.Entry, error] {
	return func(yield func(audit.Entry, error) bool) {
		for next := f.After + 1; next > 0; {
			var list []audit.Entry
			from := next
			err := e.View(ctx, func(tx *engine.Tx) (err error) {
				list, next, err = some(&f, tx, boardName, from)
				return err
			})
			for _, x := range list {
				if err == nil && !yield(x, nil) {
					return
				}
			}
			if err != nil {
				yield(audit.Entry{}, err)
				return
			}
		}
	}
}

// some returns the entries that the filter selects among the next page of them, and the number behind these, 0 if there are no more.
func some(f *audit.Filter, tx *engine.Tx, boardName string, from uint64) (list []audit.Entry, next uint64, err error) {
	last, err := Last(tx, boardName)
	if err != nil {
		return nil, 0, err
	}
	salt, _, err := tx.Get(boardkey.AuditSalt)
	if err != nil {
		return nil, 0, err
	}
	hash := ""
	if salt != nil && f.Member != "" {
		hash = HashWith(salt, f.Member)
	}
	for next = from; next <= last && next < from+page; next++ {
		e, err := Get(tx, boardName, next)
		if err != nil {
			return nil, 0, err
		}
		if Wants(f, &e, hash) {
			list = append(list, e)
		}
	}
	if next > last {
		next = 0
	}
	return list, next, nil
}

package remote

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/ops"
)

// Member is board.Board.Member.
func (b *remoteBoard) Member(ctx context.Context, name string) (board.Member, error) {
	return call(ctx, b.c, ops.GetMember, b.of(name))
}

// Audit is board.Board.Audit.
func (b *remoteBoard) Audit(ctx context.Context, f audit.Filter) iter.Seq2[audit.Entry, error] {
	first := ops.AuditArgs{OnBoard: b.on(), Member: f.Member, By: f.By, Kind: string(f.Kind), Since: f.Since, Until: f.Until, After: f.After, N: rowsAtOnce}
	return pages(first, func(args *ops.AuditArgs) ([]audit.Entry, bool, error) {
		page, err := call(ctx, b.c, ops.ListAudit, *args)
		if n := len(page.Entries); n > 0 {
			args.After = page.Entries[n-1].Number
		}
		return page.Entries, page.More, err
	})
}

// AuditPlaces is board.Board.AuditPlaces.
func (b *remoteBoard) AuditPlaces(ctx context.Context, number uint64) ([]board.Place, error) {
	list, err := call(ctx, b.c, ops.GetAuditPlaces, ops.EntryArgs{OnBoard: b.on(), Number: number})
	return list.Places, err
}

// Jobs is board.Board.Jobs.
func (b *remoteBoard) Jobs(ctx context.Context) ([]board.Job, error) {
	list, err := call(ctx, b.c, ops.ListJobs, b.on())
	return list.Jobs, err
}

// Journal is board.Board.Journal.
func (b *remoteBoard) Journal(ctx context.Context, query board.JournalQuery) iter.Seq2[board.JournalRow, error] {
	first := ops.JournalArgs{OnBoard: b.on(), Member: query.Member, Since: query.Since, N: rowsAtOnce}
	return pages(first, func(args *ops.JournalArgs) ([]board.JournalRow, bool, error) {
		page, err := call(ctx, b.c, ops.ListJournal, *args)
		if n := len(page.Rows); n > 0 {
			args.Before = page.Rows[n-1].Number
		}
		return page.Rows, page.More, err
	})
}

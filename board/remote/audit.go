package remote

import (
	"context"
	"iter"
	"maps"
	"net/url"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
)

// set sets a parameter unless it is empty.
func set(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

// instant returns a time as a parameter, "" for the zero time.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// Member is board.Board.Member.
func (b *remoteBoard) Member(ctx context.Context, name string) (board.Member, error) {
	return get[board.Member](ctx, b.c, b.path("member"), member(name))
}

// Audit is board.Board.Audit.
func (b *remoteBoard) Audit(ctx context.Context, f audit.Filter) iter.Seq2[audit.Entry, error] {
	q := url.Values{"n": {strconv.Itoa(rowsAtOnce)}}
	if f.Member != "" {
		q.Set("member", text(f.Member))
	}
	set(q, "by", f.By)
	set(q, "kind", string(f.Kind))
	set(q, "since", instant(f.Since))
	set(q, "until", instant(f.Until))
	return pages(func() func() ([]audit.Entry, bool, error) {
		after, q := f.After, maps.Clone(q)
		return func() ([]audit.Entry, bool, error) {
			q.Set("after", strconv.FormatUint(after, 10))
			page, err := get[struct {
				Entries []audit.Entry
				More    bool
			}](ctx, b.c, b.path("audit"), q)
			if n := len(page.Entries); n > 0 {
				after = page.Entries[n-1].Number
			}
			return page.Entries, page.More, err
		}
	})
}

// AuditPlaces is board.Board.AuditPlaces.
func (b *remoteBoard) AuditPlaces(ctx context.Context, number uint64) ([]board.Place, error) {
	list, err := get[struct{ Places []board.Place }](ctx, b.c, b.path("audit", strconv.FormatUint(number, 10), "places"), nil)
	return list.Places, err
}

// Jobs is board.Board.Jobs.
func (b *remoteBoard) Jobs(ctx context.Context) ([]board.Job, error) {
	list, err := get[struct{ Jobs []board.Job }](ctx, b.c, b.path("jobs"), nil)
	return list.Jobs, err
}

// Journal is board.Board.Journal.
func (b *remoteBoard) Journal(ctx context.Context, query board.JournalQuery) iter.Seq2[board.JournalRow, error] {
	return pages(func() func() ([]board.JournalRow, bool, error) {
		q := url.Values{"n": {strconv.Itoa(rowsAtOnce)}}
		if query.Member != "" {
			q.Set("member", text(query.Member))
		}
		set(q, "since", instant(query.Since))
		return func() ([]board.JournalRow, bool, error) {
			page, err := get[struct {
				Rows []board.JournalRow
				More bool
			}](ctx, b.c, b.path("journal"), q)
			if n := len(page.Rows); n > 0 {
				q.Set("before", strconv.FormatUint(page.Rows[n-1].Number, 10))
			}
			return page.Rows, page.More, err
		}
	})
}

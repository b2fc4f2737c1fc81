package remote

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board"
)

// ranking returns a ranking of a window.
func (b *remoteBoard) ranking(window string, query url.Values) *ranking {
	if b.version > 0 {
		if query == nil {
			query = url.Values{}
		}
		query.Set("version", strconv.Itoa(b.version))
	}
	return &ranking{c: b.c, path: b.path("windows", window), query: query, info: board.Info{Board: b.name, Window: window}}
}

// existing returns a ranking of a window if there is one.
func (b *remoteBoard) existing(ctx context.Context, window string, query url.Values) (board.Ranking, error) {
	r := b.ranking(window, query)
	info, err := r.fetchInfo(ctx)
	if err != nil {
		return nil, err
	}
	r.info, r.fixed = info, true
	return r, nil
}

// Live is board.Board.Live.
func (b *remoteBoard) Live(ctx context.Context, window string) (board.Ranking, error) {
	r := b.ranking(window, nil)
	if _, err := r.fetchInfo(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// Period is board.Board.Period.
func (b *remoteBoard) Period(ctx context.Context, window, period string) (board.Ranking, error) {
	if period == "" {
		return nil, fmt.Errorf("%w: it is empty", board.ErrPeriodName)
	}
	return b.existing(ctx, window, url.Values{"period": {period}})
}

// At is board.Board.At.
func (b *remoteBoard) At(ctx context.Context, window string, t time.Time) (board.Ranking, error) {
	return b.existing(ctx, window, url.Values{"at": {t.Format(time.RFC3339Nano)}})
}

// LastClosed is board.Board.LastClosed.
func (b *remoteBoard) LastClosed(ctx context.Context, window string) (board.Ranking, error) {
	return b.which(ctx, window, "closed")
}

// Latest is board.Board.Latest.
func (b *remoteBoard) Latest(ctx context.Context, window string) (board.Ranking, error) {
	return b.which(ctx, window, "latest")
}

// which returns the period that is the last closed or the latest one now.
func (b *remoteBoard) which(ctx context.Context, window, which string) (board.Ranking, error) {
	info, err := b.ranking(window, url.Values{"which": {which}}).fetchInfo(ctx)
	if err != nil {
		return nil, err
	}
	return b.Period(ctx, window, info.Period)
}

// AsOf is board.Board.AsOf. The server keeps the ranking for a while after its last use.
func (b *remoteBoard) AsOf(ctx context.Context, window string, at time.Time) (board.Ranking, error) {
	return b.ranking(window, url.Values{"asOf": {at.Format(time.RFC3339Nano)}}).Pin(ctx)
}

// AsOfRow is board.Board.AsOfRow. The server keeps the ranking for a while after its last use.
func (b *remoteBoard) AsOfRow(ctx context.Context, window, period string, row uint64) (board.Ranking, error) {
	return b.ranking(window, url.Values{"period": {period}, "row": {strconv.FormatUint(row, 10)}}).Pin(ctx)
}

// Periods is board.Board.Periods.
func (b *remoteBoard) Periods(ctx context.Context, window string) ([]board.Usage, error) {
	list, err := get[struct{ Periods []board.Usage }](ctx, b.c, b.path("windows", window, "periods"), nil)
	return list.Periods, err
}

// CloseNow is board.Board.CloseNow.
func (b *remoteBoard) CloseNow(ctx context.Context, window string) (board.Info, error) {
	return send[board.Info](ctx, b.c, http.MethodPost, b.path("windows", window, "close"), nil)
}

// NextReset is board.Board.NextReset.
func (b *remoteBoard) NextReset(ctx context.Context, window string) (at time.Time, ok bool, err error) {
	u, err := get[until](ctx, b.c, b.path("windows", window, "reset"), nil)
	at, ok = u.time()
	return at, ok, err
}

// NextChange is board.Board.NextChange.
func (b *remoteBoard) NextChange(ctx context.Context, window, name string) (at time.Time, ok bool, err error) {
	u, err := get[until](ctx, b.c, b.path("windows", window, "next-change"), member(name))
	at, ok = u.time()
	return at, ok, err
}

// BestRank is board.Board.BestRank.
func (b *remoteBoard) BestRank(ctx context.Context, window, name string) (rank int, ok bool, err error) {
	best, err := get[struct{ Rank int }](ctx, b.c, b.path("windows", window, "best-rank"), member(name))
	ok, err = isRanked(err)
	return best.Rank, ok, err
}

// SaveBaseline is board.Board.SaveBaseline.
func (b *remoteBoard) SaveBaseline(ctx context.Context, window, name string) error {
	return b.c.do(ctx, request{method: http.MethodPut, path: b.path("windows", window, "baselines", name)}, nil)
}

// Baseline is board.Board.Baseline.
func (b *remoteBoard) Baseline(ctx context.Context, window, name string) (board.Ranking, error) {
	return b.existing(ctx, window, url.Values{"baseline": {name}})
}

// Baselines is board.Board.Baselines.
func (b *remoteBoard) Baselines(ctx context.Context, window string) ([]string, error) {
	list, err := get[struct{ Names []string }](ctx, b.c, b.path("windows", window, "baselines"), nil)
	return list.Names, err
}

// DropBaseline is board.Board.DropBaseline.
func (b *remoteBoard) DropBaseline(ctx context.Context, window, name string) error {
	return b.do(ctx, http.MethodDelete, b.path("windows", window, "baselines", name), nil, nil)
}

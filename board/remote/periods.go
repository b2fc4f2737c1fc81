package remote

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
)

// ranking returns a ranking of a window.
func (b *remoteBoard) ranking(l ops.Locator, window string) *ranking {
	l.OnWindow, l.Version = b.in(window), b.version
	r := newRanking(b.c, "/boards/{board}/windows/{window}", &l)
	r.info = board.Info{Board: b.name, Window: window}
	return r
}

// Live is board.Board.Live.
func (b *remoteBoard) Live(ctx context.Context, window string) (board.Ranking, error) {
	r := b.ranking(ops.Locator{}, window)
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
	return b.ranking(ops.Locator{Period: period}, window).found(ctx)
}

// At is board.Board.At.
func (b *remoteBoard) At(ctx context.Context, window string, t time.Time) (board.Ranking, error) {
	return b.ranking(ops.Locator{At: t}, window).found(ctx)
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
	info, err := b.ranking(ops.Locator{Which: which}, window).fetchInfo(ctx)
	if err != nil {
		return nil, err
	}
	return b.Period(ctx, window, info.Period)
}

// AsOf is board.Board.AsOf. The server keeps the ranking for a while after its last use.
func (b *remoteBoard) AsOf(ctx context.Context, window string, at time.Time) (board.Ranking, error) {
	return b.ranking(ops.Locator{AsOf: at}, window).Pin(ctx)
}

// AsOfRow is board.Board.AsOfRow. The server keeps the ranking for a while after its last use.
func (b *remoteBoard) AsOfRow(ctx context.Context, window, period string, row uint64) (board.Ranking, error) {
	return b.ranking(ops.Locator{Period: period, Row: &row}, window).Pin(ctx)
}

// Periods is board.Board.Periods.
func (b *remoteBoard) Periods(ctx context.Context, window string) ([]board.Usage, error) {
	list, err := call(ctx, b.c, ops.ListPeriods, b.in(window))
	return list.Periods, err
}

// CloseNow is board.Board.CloseNow.
func (b *remoteBoard) CloseNow(ctx context.Context, window string) (board.Info, error) {
	return call(ctx, b.c, ops.ClosePeriod, b.in(window))
}

// NextReset is board.Board.NextReset.
func (b *remoteBoard) NextReset(ctx context.Context, window string) (at time.Time, ok bool, err error) {
	return timeOf(call(ctx, b.c, ops.GetReset, b.in(window)))
}

// NextChange is board.Board.NextChange.
func (b *remoteBoard) NextChange(ctx context.Context, window, member string) (at time.Time, ok bool, err error) {
	return timeOf(call(ctx, b.c, ops.GetNextChange, ops.InWindow{OnWindow: b.in(window), About: ops.About{Member: member}}))
}

// BestRank is board.Board.BestRank.
func (b *remoteBoard) BestRank(ctx context.Context, window, member string) (rank int, ok bool, err error) {
	best, err := call(ctx, b.c, ops.GetBestRank, ops.InWindow{OnWindow: b.in(window), About: ops.About{Member: member}})
	ok, err = isRanked(err)
	return best.Rank, ok, err
}

// SaveBaseline is board.Board.SaveBaseline.
func (b *remoteBoard) SaveBaseline(ctx context.Context, window, name string) error {
	return do(ctx, b.c, ops.SaveBaseline, ops.BaselineArgs{OnWindow: b.in(window), Name: name})
}

// Baseline is board.Board.Baseline.
func (b *remoteBoard) Baseline(ctx context.Context, window, name string) (board.Ranking, error) {
	return b.ranking(ops.Locator{Baseline: name}, window).found(ctx)
}

// Baselines is board.Board.Baselines.
func (b *remoteBoard) Baselines(ctx context.Context, window string) ([]string, error) {
	list, err := call(ctx, b.c, ops.ListBaselines, b.in(window))
	return list.Names, err
}

// DropBaseline is board.Board.DropBaseline.
func (b *remoteBoard) DropBaseline(ctx context.Context, window, name string) error {
	return do(ctx, b.c, ops.DropBaseline, ops.BaselineArgs{OnWindow: b.in(window), Name: name})
}

package remote

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
)

// AroundScore implements board.Ranking.
func (r *ranking) AroundScore(ctx context.Context, score board.Score, each int) ([]board.Row, error) {
	return rowsOf(ctx, r, ops.AroundScore, ops.AroundScoreArgs{ScoreArgs: ops.ScoreArgs{Score: score}, Each: each})
}

// Between implements board.Ranking.
func (r *ranking) Between(ctx context.Context, best, worst *board.Score, skip, limit int) (all []board.Row, err error) {
	args := ops.BetweenArgs{RangeArgs: ops.RangeArgs{Best: best, Worst: worst}, Skip: skip}
	for {
		args.Limit = rowsAtOnce
		if limit >= 0 {
			args.Limit = min(rowsAtOnce, limit-len(all))
		}
		list, err := rowsOf(ctx, r, ops.Between, args)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if len(list) < rowsAtOnce || len(all) == limit {
			return all, nil
		}
		args.Skip += len(list)
	}
}

// Count implements board.Ranking.
func (r *ranking) Count(ctx context.Context, best, worst *board.Score) (int, error) {
	n, err := read(ctx, r, ops.Count, ops.RangeArgs{Best: best, Worst: worst})
	return n.N, err
}

// RankOf implements board.Ranking.
func (r *ranking) RankOf(ctx context.Context, score board.Score) (int, error) {
	n, err := read(ctx, r, ops.RankOf, ops.ScoreArgs{Score: score})
	return n.N, err
}

// Among implements board.Ranking.
func (r *ranking) Among(ctx context.Context, members ...string) ([]board.AmongRow, error) {
	var args ops.AmongArgs
	args.Body.Members = members
	list, err := read(ctx, r, ops.AmongMembers, args)
	return list.Rows, err
}

// Percentile implements board.Ranking.
func (r *ranking) Percentile(ctx context.Context, member string) (p board.Percentile, ok bool, err error) {
	p, err = read(ctx, r, ops.Percentile, ops.About{Member: member})
	ok, err = isRanked(err)
	return p, ok, err
}

// AtPercentile implements board.Ranking.
func (r *ranking) AtPercentile(ctx context.Context, percent float64) (row board.Row, ok bool, err error) {
	return ownRow(read(ctx, r, ops.AtPercentile, ops.PercentArgs{Percent: percent}))
}

// Histogram implements board.Ranking.
func (r *ranking) Histogram(ctx context.Context, bins int) ([]board.Bin, error) {
	list, err := read(ctx, r, ops.Histogram, ops.BinsArgs{Bins: bins})
	return list.Bins, err
}

// Gap implements board.Ranking.
func (r *ranking) Gap(ctx context.Context, member string, above int) (gap board.Gap, ok bool, err error) {
	gap, err = read(ctx, r, ops.Gap, ops.GapArgs{About: ops.About{Member: member}, Above: above})
	if ok, err = isRanked(err); !ok || gap.To.Rank == 0 { // nobody is above
		return board.Gap{}, false, err
	}
	return gap, true, nil
}

// Card implements board.Ranking.
func (r *ranking) Card(ctx context.Context, member string, top, each int) (board.Card, error) {
	return read(ctx, r, ops.Card, ops.CardArgs{About: ops.About{Member: member}, Top: top, Each: each})
}

// Arrows implements board.Ranking. The base must be a ranking of the same server.
func (r *ranking) Arrows(ctx context.Context, base board.Ranking, members ...string) ([]board.Arrow, error) {
	args := ops.ArrowsArgs{Body: ops.ArrowsBase{Members: members}}
	if b, ok := base.(*ranking); ok {
		if err := b.describe(ctx, &args.Body); err != nil {
			return nil, err
		}
	} else if base != nil {
		return nil, errBase
	}
	list, err := read(ctx, r, ops.MoveArrows, args)
	return list.Arrows, err
}

// describe adds to the body of Arrows which ranking a base is.
func (r *ranking) describe(ctx context.Context, body *ops.ArrowsBase) error {
	info, err := r.Info(ctx)
	switch {
	case err != nil:
	case r.pinID != "":
		body.Pin = r.pinID
	case r.union != "":
		body.Union = r.union
	case r.query.Has("baseline"):
		body.Board, body.Window, body.Baseline = info.Board, info.Window, r.query.Get("baseline")
	default:
		body.Board, body.Window, body.Period = info.Board, info.Window, info.Period
	}
	return err
}

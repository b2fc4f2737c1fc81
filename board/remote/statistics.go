package remote

import (
	"context"
	"strconv"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/zrankdb/zrank/board"
)

// bounds returns the parameters of a range of scores.
func bounds(best, worst *board.Score, pairs ...string) []string {
	if best != nil {
		pairs = append(pairs, "best", boardjson.ScoreText(*best))
	}
	if worst != nil {
		pairs = append(pairs, "worst", boardjson.ScoreText(*worst))
	}
	return pairs
}

// AroundScore implements board.Ranking.
func (r *ranking) AroundScore(ctx context.Context, score board.Score, each int) ([]board.Row, error) {
	return r.rowList(ctx, "around-score", "score", boardjson.ScoreText(score), "each", strconv.Itoa(each))
}

// Between implements board.Ranking.
func (r *ranking) Between(ctx context.Context, best, worst *board.Score, skip, limit int) (all []board.Row, err error) {
	for {
		n := rowsAtOnce
		if limit >= 0 {
			n = min(n, limit-len(all))
		}
		list, err := r.rowList(ctx, "between", bounds(best, worst, "skip", strconv.Itoa(skip), "limit", strconv.Itoa(n))...)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if len(list) < rowsAtOnce || len(all) == limit {
			return all, nil
		}
		skip += len(list)
	}
}

type number struct{ N int }

// Count implements board.Ranking.
func (r *ranking) Count(ctx context.Context, best, worst *board.Score) (int, error) {
	n, err := read[number](ctx, r, "count", bounds(best, worst)...)
	return n.N, err
}

// RankOf implements board.Ranking.
func (r *ranking) RankOf(ctx context.Context, score board.Score) (int, error) {
	n, err := read[number](ctx, r, "rank-of", "score", boardjson.ScoreText(score))
	return n.N, err
}

// Among implements board.Ranking.
func (r *ranking) Among(ctx context.Context, members ...string) ([]board.AmongRow, error) {
	list, err := post[standings](ctx, r, "among", map[string]any{"members": boardjson.Texts(members)})
	return list.Rows, err
}

type standings struct{ Rows []board.AmongRow }

// Percentile implements board.Ranking.
func (r *ranking) Percentile(ctx context.Context, member string) (p board.Percentile, ok bool, err error) {
	p, err = read[board.Percentile](ctx, r, "percentile", "member", text(member))
	ok, err = isRanked(err)
	return p, ok, err
}

// AtPercentile implements board.Ranking.
func (r *ranking) AtPercentile(ctx context.Context, percent float64) (row board.Row, ok bool, err error) {
	return r.oneRow(ctx, "at-percentile", "percent", strconv.FormatFloat(percent, 'g', -1, 64))
}

// Histogram implements board.Ranking.
func (r *ranking) Histogram(ctx context.Context, bins int) ([]board.Bin, error) {
	list, err := read[struct{ Bins []board.Bin }](ctx, r, "histogram", "bins", strconv.Itoa(bins))
	return list.Bins, err
}

// Gap implements board.Ranking.
func (r *ranking) Gap(ctx context.Context, member string, above int) (gap board.Gap, ok bool, err error) {
	gap, err = read[board.Gap](ctx, r, "gap", "member", text(member), "above", strconv.Itoa(above))
	if ok, err = isRanked(err); !ok || gap.To.Rank == 0 { // nobody is above
		return board.Gap{}, false, err
	}
	return gap, true, nil
}

// Card implements board.Ranking.
func (r *ranking) Card(ctx context.Context, member string, top, each int) (board.Card, error) {
	return read[board.Card](ctx, r, "card", "member", text(member), "top", strconv.Itoa(top), "each", strconv.Itoa(each))
}

// Arrows implements board.Ranking. The base must be a ranking of the same server.
func (r *ranking) Arrows(ctx context.Context, base board.Ranking, members ...string) ([]board.Arrow, error) {
	body := map[string]any{"members": boardjson.Texts(members)}
	if b, ok := base.(*ranking); ok {
		if err := b.describe(ctx, body); err != nil {
			return nil, err
		}
	} else if base != nil {
		return nil, errBase
	}
	list, err := post[struct{ Arrows []board.Arrow }](ctx, r, "arrows", body)
	return list.Arrows, err
}

// describe adds to a body which ranking a base is.
func (r *ranking) describe(ctx context.Context, body map[string]any) error {
	info, err := r.Info(ctx)
	switch {
	case err != nil:
	case r.pinID != "":
		body["pin"] = r.pinID
	case r.union != "":
		body["union"] = r.union
	case r.query.Has("baseline"):
		body["board"], body["window"], body["baseline"] = info.Board, info.Window, r.query.Get("baseline")
	default:
		body["board"], body["window"], body["period"] = info.Board, info.Window, info.Period
	}
	return err
}

package ops

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// Number is a count or a rank.
type Number struct {
	N int `json:"n"`
}

// RankingInfo is what a ranking is, and how many members it has.
type RankingInfo struct {
	board.Info
	Members int `json:"members"`
}

// MarshalJSON implements json.Marshaler.
func (i RankingInfo) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&i) }

// UnmarshalJSON implements json.Unmarshaler.
func (i *RankingInfo) UnmarshalJSON(b []byte) error { return boardjson.Read(b, i) }

// Bins is a histogram.
type Bins struct {
	Bins []board.Bin `json:"bins" doc:"The best values first."`
}

// Arguments of statistics.
type (
	// ScoreArgs is a score.
	ScoreArgs struct {
		Score board.Score `query:"score" required:"true" doc:"The columns, with commas between them." example:"1500"`
	}
	// AroundScoreArgs is a score and how many rows around it.
	AroundScoreArgs struct {
		ScoreArgs
		Each int `query:"each" default:"2" doc:"How many rows before the place of the score, and after it; near an end of the ranking there are more on the other side. Both count as rows of the answer."`
	}
	// RangeArgs is a range of scores.
	RangeArgs struct {
		Best  *board.Score `query:"best" doc:"The best score, included; absent: no bound. Columns have commas between them."`
		Worst *board.Score `query:"worst" doc:"The worst score, included; absent: no bound."`
	}
	// BetweenArgs is a range of scores and a part of its rows.
	BetweenArgs struct {
		RangeArgs
		Skip  int `query:"skip" doc:"How many of the rows to leave out."`
		Limit int `query:"limit" default:"100" doc:"How many rows at most; -1 is as many as an answer may have."`
	}
	// PercentArgs is a percentage.
	PercentArgs struct {
		Percent float64 `query:"percent" required:"true" doc:"From 0 to 100." example:"10"`
	}
	// BinsArgs is a number of bins.
	BinsArgs struct {
		Bins int `query:"bins" default:"10" doc:"How many ranges of equal width: at most as many as an answer may have rows."`
	}
	// GapArgs is a place above a member's.
	GapArgs struct {
		About
		Above int `query:"above" default:"1" doc:"How many places above the member's: 1 is the one right before it."`
	}
)

// Reads that count.
var (
	// Info is board.Ranking.Info and Len.
	Info = onRanking(Op{ID: "Info", Route: "GET info", Own: true,
		Summary: "Which ranking it is, from when to when, and how many members it has"},
		func(ctx context.Context, e *Env, k board.Ranking, _ *NoArgs) (o RankingInfo, err error) {
			_, err = e.ofOnePeriod(ctx, k, func() error {
				n, err := k.Len(ctx)
				if err != nil {
					return err
				}
				info, err := k.Info(ctx)
				o = RankingInfo{info, n}
				return err
			})
			return o, err
		})
	// Count is board.Ranking.Count.
	Count = onRanking(Op{ID: "Count", Route: "GET count",
		Command: "BOARD.COUNT [BEST best] [WORST worst]", Cost: "O(log(N)); with ASOF O(N) more", Summary: "The number of members with scores in a range"},
		func(ctx context.Context, e *Env, k board.Ranking, a *RangeArgs) (o Number, err error) {
			o.N, err = k.Count(ctx, a.Best, a.Worst)
			return o, err
		})
	// Between is board.Ranking.Between.
	Between = onRanking(Op{ID: "Between", Route: "GET between",
		Command: "BOARD.BETWEEN [BEST best] [WORST worst] [SKIP skip] [LIMIT limit]", Cost: "O(log(N)+M) for M rows; with ASOF O(N) more", Summary: "The rows with scores in a range"},
		func(ctx context.Context, e *Env, k board.Ranking, a *BetweenArgs) (Rows, error) {
			limit := a.Limit
			if limit < 0 {
				limit = e.room().most
			}
			if err := e.RowsIn(ctx, k, limit); err != nil {
				return Rows{}, err
			}
			return e.RowsOf(ctx, k, func() ([]board.Row, error) { return k.Between(ctx, a.Best, a.Worst, a.Skip, limit) })
		})
	// AroundScore is board.Ranking.AroundScore.
	AroundScore = onRanking(Op{ID: "AroundScore", Route: "GET around-score",
		Command: "BOARD.AROUNDSCORE score each", Cost: "O(log(N)+M) for M rows; with ASOF O(N) more",
		Summary: "The rows around the place that a score would have"},
		func(ctx context.Context, e *Env, k board.Ranking, a *AroundScoreArgs) (Rows, error) {
			if err := e.RowsIn(ctx, k, a.Each, a.Each); err != nil {
				return Rows{}, err
			}
			return e.RowsOf(ctx, k, func() ([]board.Row, error) { return k.AroundScore(ctx, a.Score, a.Each) })
		})
	// RankOf is board.Ranking.RankOf.
	RankOf = onRanking(Op{ID: "RankOf", Route: "GET rank-of",
		Command: "BOARD.RANKOF score", Cost: "O(log(N)); with ASOF O(N) more", Own: true,
		Summary: "The rank that a new member with a score would have"},
		func(ctx context.Context, e *Env, k board.Ranking, a *ScoreArgs) (o Number, err error) {
			o.N, err = k.RankOf(ctx, a.Score)
			return o, err
		})
	// Gap is board.Ranking.Gap.
	Gap = onRanking(Op{ID: "Gap", Route: "GET gap",
		Command: "BOARD.GAP member [ABOVE above]", Cost: "O(log(N)); with ASOF O(N) more", Own: true,
		Summary: "The difference between the score of a member and that at a place above; of the first member, that nobody is above"}, readGap)
	// Percentile is board.Ranking.Percentile.
	Percentile = onRanking(Op{ID: "Percentile", Route: "GET percentile",
		Command: "BOARD.PERCENTILE member", Cost: "O(log(N)); with ASOF O(N) more", Own: true, Summary: "How far up a member is"},
		func(ctx context.Context, e *Env, k board.Ranking, a *About) (board.Percentile, error) {
			x, ok, err := k.Percentile(ctx, a.Member)
			return x, ranked(a.Member, ok, err)
		})
	// AtPercentile is board.Ranking.AtPercentile.
	AtPercentile = onRanking(Op{ID: "AtPercentile", Route: "GET at-percentile",
		Command: "BOARD.ATPERCENTILE percent", Cost: "O(log(N)); with ASOF O(N) more", Summary: "The last row in the best percent"},
		func(ctx context.Context, e *Env, k board.Ranking, a *PercentArgs) (Own, error) {
			return e.ownOf(ctx, k, "", func() (board.Row, bool, error) { return k.AtPercentile(ctx, a.Percent) })
		})
	// Histogram is board.Ranking.Histogram.
	Histogram = onRanking(Op{ID: "Histogram", Route: "GET histogram",
		Command: "BOARD.HISTOGRAM bins", Cost: "O(B*log(N)) for B bins; with ASOF O(N) more", Summary: "The number of members in ranges of equal width"},
		func(ctx context.Context, e *Env, k board.Ranking, a *BinsArgs) (o Bins, err error) {
			if err = e.rows(a.Bins); err == nil {
				o.Bins, err = k.Histogram(ctx, a.Bins)
			}
			return o, err
		})
)

// readGap reads a gap. The first member has nobody above.
func readGap(ctx context.Context, e *Env, k board.Ranking, a *GapArgs) (o board.Gap, err error) {
	err = k.View(ctx, func(k board.Ranking) error {
		g, ok, err := k.Gap(ctx, a.Member, a.Above)
		if err == nil && !ok {
			g.Column = -1
			var first board.Row
			first, ok, err = k.At(ctx, 1)
			ok = ok && first.Member == a.Member
		}
		o = g
		return ranked(a.Member, ok, err)
	})
	return o, err
}

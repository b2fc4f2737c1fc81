package routes

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

// Bins is a histogram.
type Bins struct {
	Bins []board.Bin `json:"bins" doc:"The best values first."`
}

// Parameters of statistics.
type (
	// PercentOf is a percentage.
	PercentOf struct {
		Percent float64 `query:"percent" required:"true" doc:"From 0 to 100." example:"10"`
	}
	// BinsOf is a number of bins.
	BinsOf struct {
		Bins int `query:"bins" default:"10" doc:"How many ranges of equal width: at most as many as an answer may have rows."`
	}
	// AboveOf is a place above a member's.
	AboveOf struct {
		About
		Above int `query:"above" default:"1" doc:"How many places above the member's: 1 is the one right before it."`
	}
)

func (p PercentOf) get() PercentOf { return p }
func (p BinsOf) get() BinsOf       { return p }
func (p AboveOf) get() AboveOf     { return p }

// scoreBound reads a score of the query, nil for none.
func scoreBound(text string) (*board.Score, error) {
	if text == "" {
		return nil, nil
	}
	score, err := boardjson.ParseScore(text)
	return &score, err
}

func (p RangeOf) bounds() (best, worst *board.Score, err error) {
	if best, err = scoreBound(p.Best); err == nil {
		worst, err = scoreBound(p.Worst)
	}
	return best, worst, err
}

// scoreNeeded reads a score of the query.
func scoreNeeded(text string) (s board.Score, err error) {
	p, err := scoreBound(text)
	if p != nil {
		s = *p
	}
	return s, err
}

// registerStatistics registers the reads that count.
func registerStatistics(r *Router) {
	everywhere[struct {
		InWindow
		None
	}, struct {
		InPin
		None
	}, struct {
		InUnion
		None
	}](r, rankingRead[None, RankingInfo]{"info", "Info", "Which ranking it is, from when to when, and how many members it has", readerOwn,
		func(ctx context.Context, _ *Router, k board.Ranking, _ None) (o RankingInfo, err error) {
			_, err = ofOnePeriod(ctx, k, func() error {
				n, err := k.Len(ctx)
				if err != nil {
					return err
				}
				info, err := k.Info(ctx)
				o = RankingInfo{info, n}
				return err
			})
			return o, err
		}})
	registerRanges(r)
	registerScores(r)
	registerShares(r)
}

// registerRanges registers the reads of ranges of scores.
func registerRanges(r *Router) {
	everywhere[struct {
		InWindow
		RangeOf
	}, struct {
		InPin
		RangeOf
	}, struct {
		InUnion
		RangeOf
	}](r, rankingRead[RangeOf, Number]{"count", "Count", "The number of members with scores in a range", reader,
		func(ctx context.Context, _ *Router, k board.Ranking, p RangeOf) (o Number, err error) {
			best, worst, err := p.bounds()
			if err == nil {
				o.N, err = k.Count(ctx, best, worst)
			}
			return o, err
		}})
	everywhere[struct {
		InWindow
		BetweenOf
	}, struct {
		InPin
		BetweenOf
	}, struct {
		InUnion
		BetweenOf
	}](r, rankingRead[BetweenOf, Rows]{"between", "Between", "The rows with scores in a range", reader,
		func(ctx context.Context, r *Router, k board.Ranking, p BetweenOf) (o Rows, err error) {
			best, worst, err := p.bounds()
			if err == nil {
				if p.Limit < 0 {
					p.Limit = r.MaxRows
				}
				err = r.rowsIn(ctx, k, p.Limit)
			}
			if err != nil {
				return o, err
			}
			return rowsOf(ctx, k, func() ([]board.Row, error) { return k.Between(ctx, best, worst, p.Skip, p.Limit) })
		}})
}

// registerScores registers the reads about a score.
func registerScores(r *Router) {
	everywhere[struct {
		InWindow
		AroundScoreOf
	}, struct {
		InPin
		AroundScoreOf
	}, struct {
		InUnion
		AroundScoreOf
	}](r, rankingRead[AroundScoreOf, Rows]{"around-score", "AroundScore", "The rows around the place that a score would have", reader,
		func(ctx context.Context, r *Router, k board.Ranking, p AroundScoreOf) (o Rows, err error) {
			score, err := scoreNeeded(p.Score)
			if err == nil {
				err = r.rowsIn(ctx, k, p.Each, p.Each)
			}
			if err != nil {
				return o, err
			}
			return rowsOf(ctx, k, func() ([]board.Row, error) { return k.AroundScore(ctx, score, p.Each) })
		}})
	everywhere[struct {
		InWindow
		ScoreOf
	}, struct {
		InPin
		ScoreOf
	}, struct {
		InUnion
		ScoreOf
	}](r, rankingRead[ScoreOf, Number]{"rank-of", "RankOf", "The rank that a new member with a score would have", readerOwn,
		func(ctx context.Context, _ *Router, k board.Ranking, p ScoreOf) (o Number, err error) {
			score, err := scoreNeeded(p.Score)
			if err == nil {
				o.N, err = k.RankOf(ctx, score)
			}
			return o, err
		}})
	everywhere[struct {
		InWindow
		AboveOf
	}, struct {
		InPin
		AboveOf
	}, struct {
		InUnion
		AboveOf
	}](r, rankingRead[AboveOf, board.Gap]{"gap", "Gap", "The difference between the score of a member and that at a place above; of the first member, that nobody is above", readerOwn, readGap})
}

// readGap reads a gap. The first member has nobody above.
func readGap(ctx context.Context, _ *Router, k board.Ranking, p AboveOf) (o board.Gap, err error) {
	err = k.View(ctx, func(k board.Ranking) error {
		g, ok, err := k.Gap(ctx, p.memberName(), p.Above)
		if err == nil && !ok {
			g.Column = -1
			var first board.Row
			first, ok, err = k.At(ctx, 1)
			ok = ok && first.Member == p.memberName()
		}
		o = g
		return ranked(ok, err)
	})
	return o, err
}

// registerShares registers the reads of percentages and histograms.
func registerShares(r *Router) {
	everywhere[struct {
		InWindow
		About
	}, struct {
		InPin
		About
	}, struct {
		InUnion
		About
	}](r, rankingRead[About, board.Percentile]{"percentile", "Percentile", "How far up a member is", readerOwn,
		func(ctx context.Context, _ *Router, k board.Ranking, p About) (board.Percentile, error) {
			x, ok, err := k.Percentile(ctx, p.memberName())
			return x, ranked(ok, err)
		}})
	everywhere[struct {
		InWindow
		PercentOf
	}, struct {
		InPin
		PercentOf
	}, struct {
		InUnion
		PercentOf
	}](r, rankingRead[PercentOf, Own]{"at-percentile", "AtPercentile", "The last row in the best percent", reader,
		func(ctx context.Context, _ *Router, k board.Ranking, p PercentOf) (o Own, err error) {
			o.Period, err = ofOnePeriod(ctx, k, func() error {
				row, ok, err := k.AtPercentile(ctx, p.Percent)
				o.Row = row
				return ranked(ok, err)
			})
			return o, err
		}})
	everywhere[struct {
		InWindow
		BinsOf
	}, struct {
		InPin
		BinsOf
	}, struct {
		InUnion
		BinsOf
	}](r, rankingRead[BinsOf, Bins]{"histogram", "Histogram", "The number of members in ranges of equal width", reader,
		func(ctx context.Context, r *Router, k board.Ranking, p BinsOf) (Bins, error) {
			if err := r.rows(p.Bins); err != nil {
				return Bins{}, err
			}
			bins, err := k.Histogram(ctx, p.Bins)
			return Bins{bins}, err
		}})
}

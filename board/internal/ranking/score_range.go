package ranking

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// checkBounds returns bounds of scores as rules.Check returns them; nil stays nil.
func (r *reader) checkBounds(best, worst *rules.Score) (*rules.Score, *rules.Score, error) {
	bounds := [2]*rules.Score{best, worst}
	for i, bound := range bounds {
		if bound == nil {
			continue
		}
		score, err := r.check(*bound)
		if err != nil {
			return nil, nil, err
		}
		bounds[i] = &score
	}
	return bounds[0], bounds[1], nil
}

// between returns the places of scores from best to worst. O(log n).
func (l *Look) between(best, worst *rules.Score) (lo, hi int) {
	lo, hi = 0, l.n
	if best != nil {
		lo = l.first(*best)
	}
	if worst != nil {
		hi = l.end(*worst)
	}
	return lo, max(lo, hi)
}

// Between implements Ranking.
func (r *reader) Between(ctx context.Context, best, worst *rules.Score, skip, limit int) (rows []board.Row, err error) {
	if err := r.checkCounts(skip); err != nil {
		return nil, err
	}
	if best, worst, err = r.checkBounds(best, worst); err != nil {
		return nil, err
	}
	l, err := r.look(ctx)
	if err != nil {
		return nil, err
	}
	defer l.done(&err)
	lo, hi := l.between(best, worst)
	return l.Rows(zset.Limit(lo, hi, skip, limit))
}

// Count implements Ranking.
func (r *reader) Count(ctx context.Context, best, worst *rules.Score) (n int, err error) {
	if best, worst, err = r.checkBounds(best, worst); err != nil {
		return 0, err
	}
	l, err := r.look(ctx)
	if err != nil {
		return 0, err
	}
	defer l.done(&err)
	lo, hi := l.between(best, worst)
	return hi - lo, nil
}

// RankOf implements Ranking.
func (r *reader) RankOf(ctx context.Context, score rules.Score) (rank int, err error) {
	if score, err = r.check(score); err != nil {
		return 0, err
	}
	l, err := r.look(ctx)
	if err != nil {
		return 0, err
	}
	defer l.done(&err)
	if rank = l.closedUp(score, l.newPlace(score)) + l.vacant().newMember(score); l.mode == rules.Modified {
		rank++ // the new member is counted among its equals
	}
	return rank, nil
}

package ranking

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
)

// Arrows implements Ranking. It reads the base first and then the ranking, so that it never holds two locks of sets. It reads no metadata.
func (r *reader) Arrows(ctx context.Context, base board.Ranking, members ...string) (list []board.Arrow, err error) {
	if base == nil {
		return nil, r.fault(fmt.Errorf("%w: arrows against none", board.ErrNoPeriod))
	}
	list = make([]board.Arrow, len(members))
	base = base.By(r.mode)
	if own, ok := base.(*reader); ok {
		base = own.bare()
	}
	err = base.View(ctx, func(was board.Ranking) error {
		for i, member := range members {
			row, ok, err := was.Rank(ctx, member)
			if err != nil {
				return err
			}
			if list[i] = (board.Arrow{Member: member}); ok && !row.Beyond {
				list[i].WasRanked, list[i].Was = true, row.Rank
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	l, err := r.bare().look(ctx)
	if err != nil {
		return nil, err
	}
	defer l.done(&err)
	for i := range list {
		if err := l.arrow(&list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// arrow fills in a member's rank in this ranking, and the difference to the base.
func (l *Look) arrow(a *board.Arrow) error {
	row, _, ok, err := l.Find(a.Member)
	if a.Ranked = ok && !row.Beyond; a.Ranked {
		a.Rank = row.Rank
	}
	if a.Ranked && a.WasRanked {
		a.Up = a.Was - a.Rank
	}
	return err
}

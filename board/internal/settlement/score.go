package settlement

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/periods"
)

// score sets the scores of n awards of the period, of members that are in its ranking. It does nothing if the ranking is not kept any more.
func (w work) score(ctx context.Context, n int, award func(i int) *awards.Award) error {
	r, err := periods.Named(ctx, w.b, w.s.Window, w.s.Period)
	if errors.Is(err, board.ErrNoPeriod) {
		return nil
	}
	if err != nil {
		return err
	}
	for i := range n {
		a := award(i)
		if a.Score, _, err = r.Score(ctx, a.Member); err != nil {
			return err
		}
	}
	return nil
}

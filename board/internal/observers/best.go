package observers

import (
	"context"

	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// bestRanks keeps the best ranks of members, if Spec.BestRanks is set: each window has a set, in
// which the score of a member is its best rank, from 1. A submission that changes the member's
// entry updates the set, unless the member is beyond the best n. A member that rises because others
// fall gets its best rank with its next submission that changes its entry.
type bestRanks struct{}

// Changed implements catalog.Observer.
func (bestRanks) Changed(tx *engine.Tx, _ *catalog.Board, c *catalog.Change) error {
	if !c.State.Spec.BestRanks || c.Why != feed.Submitted || c.Hidden || c.T.Top != nil && c.After >= c.T.Top.N {
		return nil
	}
	set, err := tx.IntSet(c.T.BestKey, engine.Form{})
	if err != nil {
		return err
	}
	rank := int64(c.After + 1)
	if best, had := set.Score(c.Member); had && best <= rank {
		return nil
	}
	_, err = set.Add(c.Member, rank)
	return err
}

// BestRank returns a member's best rank in a window, from 1: see Board.BestRank.
func BestRank(ctx context.Context, b *catalog.Board, window, member string) (rank int, ok bool, err error) {
	_, t, err := b.Timeline(window)
	if err != nil {
		return 0, false, err
	}
	err = b.Engine().View(ctx, func(tx *engine.Tx) error {
		rank, ok, err = bestRank(tx, t, member)
		return err
	}, t.BestKey)
	return rank, ok, err
}

// BestRankIn is BestRank in a transaction of the caller's: see InTx.BestRank.
func BestRankIn(b *catalog.Board, tx *engine.Tx, window, member string) (rank int, ok bool, err error) {
	st, t, err := b.Timeline(window)
	if err != nil || !st.Spec.BestRanks {
		return 0, false, err
	}
	err = b.Owner().In(tx, func() error {
		if rank, ok, err = bestRank(tx, t, member); err != nil {
			return err
		}
		return b.CheckReadable(st)
	})
	return rank, ok, err
}

// bestRank reads the best rank of a member.
func bestRank(tx *engine.Tx, t *state.Timeline, member string) (rank int, ok bool, err error) {
	ranks, err := tx.IntSet(t.BestKey, engine.Form{})
	if err != nil {
		return 0, false, err
	}
	best, ok := ranks.Score([]byte(member))
	return int(best), ok, nil
}

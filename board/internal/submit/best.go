package submit

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// If Spec.BestRanks is set, each window has a set of best ranks: the score of a member is its best rank. A submission that changes the member's
// entry updates the set. A member that rises because others fall gets its best rank with its next submission that changes its entry.

// storeBest stores the member's ranks that are better than its best ranks so far.
func (p *plan) storeBest(tx *engine.Tx, c *board.Change) error {
	if !p.st.Spec.BestRanks {
		return nil
	}
	for i := range p.slots {
		m := moveOf(c, i)
		if !m.Changed || m.Hidden {
			continue
		}
		s, err := tx.IntSet(p.lines[i].BestKey, engine.Form{})
		if err != nil {
			return err
		}
		rank := int64(m.After.Rank)
		if best, had := s.Score(p.member); !had || rank < best {
			if _, err := s.Add(p.member, rank); err != nil {
				return err
			}
		}
	}
	return nil
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
		rank, ok, err = bestRank(tx, t, member)
		return err
	})
	if errors.Is(err, engine.ErrNotNamed) {
		err = fmt.Errorf("%w: Hints.Read returns the keys of %q, window %s", err, st.Name, window)
	}
	return rank, ok, err
}

// BestKeys returns the key of the best ranks of a window, if it has them.
func BestKeys(b *catalog.Board, window string) ([]string, error) {
	st, t, err := b.Timeline(window)
	if err != nil || !st.Spec.BestRanks {
		return nil, err
	}
	return []string{t.BestKey}, nil
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

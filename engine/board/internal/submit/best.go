package submit

import (
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
)

// If Spec.BestRanks is set, each window has a set of best ranks: the score of a member is its best rank. A submission that changes the member's
// entry updates the set. A member that rises because others fall gets its best rank with its next submission that changes its entry.

// storeBest stores the member's ranks that are better than its best ranks so far.
func (p *plan) storeBest(tx *engine.Tx, c *Change) error {
	if !p.st.Spec.BestRanks {
		return nil
	}
	for i := range p.slots {
		m := c.move(i)
		if !m.Changed {
			continue
		}
		s, err := tx.IntSet(p.st.Timelines[i].BestKey, engine.Form{})
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
func BestRank(b *catalog.Board, window, member string) (rank int, ok bool, err error) {
	_, t, err := b.Timeline(window)
	if err != nil {
		return 0, false, err
	}
	err = b.Engine().View([]string{t.BestKey}, func(tx *engine.Tx) error {
		ranks, err := tx.IntSet(t.BestKey, engine.Form{})
		if err != nil {
			return err
		}
		var best int64
		best, ok = ranks.Score([]byte(member))
		rank = int(best)
		return nil
	})
	return rank, ok, err
}

package submit

import (
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
)

// The best ranks of the members of a window are the scores of a set, if Spec.BestRanks is set. A submission that changes the member's own
// entry updates it. A member that rises because others fall gets its best rank with its next submission.

// keepBest stores the member's ranks that are better than any before.
func (p *plan) keepBest(tx *engine.Tx, c *Change) error {
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

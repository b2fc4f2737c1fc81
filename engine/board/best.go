package board

import "github.com/zrankdb/zrank/engine"

// The best rank that each member ever had is the score of a set of its own for each window, if Spec.BestRanks asks for it. It is
// looked at when a submission changes the member's own entry: who rises because others fall is noticed with its next one.

// keepBest notes ranks that are better than any before.
func (p *plan) keepBest(tx *engine.Tx, c *Change) error {
	if !p.st.spec.BestRanks {
		return nil
	}
	for i := range p.slots {
		m := c.move(i)
		if !m.Changed {
			continue
		}
		s, err := tx.IntSet(p.st.spans[i].best, engine.Form{})
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

// BestRank returns the best ordinal rank, from 1, that a member ever had right after a submission of its own, in any period of a window, and
// false if none is known: only boards whose spec has BestRanks keep them. O(1). Errors: ErrNoWindow, those of the engine.
func (b *Board) BestRank(window, member string) (rank int, ok bool, err error) {
	_, s, err := b.window(window)
	if err != nil {
		return 0, false, err
	}
	err = b.bs.e.View([]string{s.best}, func(tx *engine.Tx) error {
		ranks, err := tx.IntSet(s.best, engine.Form{})
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

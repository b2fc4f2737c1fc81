package board

import "github.com/zrankdb/zrank/engine"

// The best rank that each member ever had is the score of a set of its own for each window, if Spec.BestRanks asks for it. It is
// looked at when a submission changes the member's own entry: who rises because others fall is noticed with its next one.

// bestKey does not change with the board's version.
func (st *state) bestKey(window string) string {
	return Key{st.name, bestKind + window, noPeriod, 1}.String()
}

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
		s, err := tx.IntSet(p.st.bestKey(m.Window), engine.Form{})
		if err != nil {
			return err
		}
		member, rank := []byte(p.sub.Member), int64(m.After.Rank)
		if best, had := s.Score(member); !had || rank < best {
			if _, err := s.Add(member, rank); err != nil {
				return err
			}
		}
	}
	return nil
}

// BestRank returns the best ordinal rank that a member ever had right after a submission of its own, in any period of a window, and
// false if none is known: only boards whose spec has BestRanks keep them. O(1). Errors: ErrNoWindow, those of the engine.
func (b *Board) BestRank(window, member string) (rank int, ok bool, err error) {
	st, _, err := b.window(window)
	if err != nil {
		return 0, false, err
	}
	key := st.bestKey(window)
	err = b.bs.e.View([]string{key}, func(tx *engine.Tx) error {
		s, err := tx.IntSet(key, engine.Form{})
		if err != nil {
			return err
		}
		var best int64
		best, ok = s.Score([]byte(member))
		rank = int(best)
		return nil
	})
	return rank, ok, err
}

package board

import (
	"github.com/stretchr/testify/require"
)

// capped gives the rows of all members, in order, the ranks that a board with Top shows.
func (n *naive) capped(rows []Row) []Row {
	for i := range rows {
		if n.spec.Top != nil && i >= n.spec.Top.N {
			rows[i].Rank, rows[i].Beyond = n.spec.Top.N+1, true
		}
	}
	return rows
}

// ranked returns those of the rows of all members that are ranked.
func (n *naive) ranked(rows []Row) []Row {
	if n.spec.Top == nil {
		return rows
	}
	return rows[:min(n.spec.Top.N, len(rows))]
}

// pass fills in Passed and Overtaken of a board with Top: members beyond the best n have one place together.
func (n *naive) pass(m *Move, sub Submission, rows, before []Row) {
	was := len(n.ranked(before)) + 1
	if m.Ranked {
		was = m.Before.Rank
	}
	m.Passed = max(was-m.After.Rank, 0)
	for _, row := range n.ranked(rows) {
		if row.Rank > m.After.Rank && row.Rank <= m.After.Rank+min(m.Passed, sub.Overtaken) {
			m.Overtaken = append(m.Overtaken, row)
		}
	}
}

// checkTops compares the rank and the score of every member, in all periods of boards with Top, and checks the invariants of their sets.
func (s *script) checkTops() {
	s.t.Helper()
	for name, n := range s.boards {
		if n.spec.Top == nil {
			continue
		}
		b := s.board(name)
		for _, w := range n.windows {
			for period, p := range w.periods {
				rows := n.rows(p.entries)
				if len(rows) == 0 {
					continue
				}
				r, err := b.Period(w.Name, period)
				if err != nil {
					continue // it is not kept any more
				}
				for m := range 12 {
					member := string(rune('a' + m))
					want, ranked := rowIn(rows, member)
					got, ok, err := r.Rank(member)
					require.NoError(s.t, err)
					require.Equal(s.t, ranked, ok, "%s in %s of %s", member, period, name)
					if got.Meta = nil; ok {
						require.Equal(s.t, want, got)
					}
					score, ok, err := r.Score(member)
					require.NoError(s.t, err)
					require.Equal(s.t, ranked, ok)
					require.Equal(s.t, want.Score, score)
					if want.Beyond {
						s.counts["beyond"]++
					}
				}
			}
		}
	}
}

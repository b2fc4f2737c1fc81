package local

import (
	"context"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/tail"
)

// capped gives the rows of all members, in order, the ranks that a board with Top shows; with segments, those that it is near to.
func (n *naive) capped(rows []board.Row) []board.Row {
	for i := range rows {
		if n.spec.Top != nil && i >= n.spec.Top.N {
			if rows[i].Beyond = true; n.spec.Top.Segments == 0 {
				rows[i].Rank, rows[i].Within = n.spec.Top.N+1, board.Unknown
			}
		}
	}
	return rows
}

// fit requires that the rank of a row of a member beyond the best n is as near to the true one as the row says, and returns the row with the true one.
func (s *script) fit(n *naive, want, got board.Row) board.Row {
	s.t.Helper()
	if !want.Beyond || !got.Beyond || n.spec.Top.Segments == 0 {
		return got
	}
	if got.Within == board.Unknown {
		s.counts["unknown"]++
		require.Equal(s.t, n.spec.Top.N+1, got.Rank)
	} else {
		require.GreaterOrEqual(s.t, want.Rank, got.Rank-got.Within, "%v of %v", got, want)
		require.LessOrEqual(s.t, want.Rank, got.Rank+got.Within, "%v of %v", got, want)
		s.counts["within"]++
		s.counts["within, all"] += got.Within
	}
	got.Rank, got.Within = want.Rank, 0
	return got
}

// fitAll is fit for the rows of changes, which it returns.
func (s *script) fitAll(n *naive, want []board.Change, got ...board.Change) []board.Change {
	s.t.Helper()
	require.Len(s.t, got, len(want))
	for i := range got {
		require.Len(s.t, got[i].Others, len(want[i].Others))
		for j := range len(got[i].Others) + 1 {
			w, g := moveOf(&want[i], j), moveOf(&got[i], j)
			g.Before, g.After = s.fit(n, w.Before, g.Before), s.fit(n, w.After, g.After)
		}
	}
	return got
}

// ranksOf returns the ranks of the rows of all members, in a mode.
func ranksOf(rows []board.Row, mode board.Mode) []int {
	ranks := make([]int, len(rows))
	for i := range rows {
		better, same, scores := 0, 0, map[board.Score]bool{}
		for j, other := range rows {
			if rows[i].Score == other.Score {
				same++
			} else if j < i {
				better++
				scores[other.Score] = true
			}
		}
		ranks[i] = map[board.Mode]int{board.Ordinal: i + 1, board.Competition: better + 1, board.Modified: better + same, board.Dense: len(scores) + 1}[mode]
	}
	return ranks
}

// ranked returns those of the rows of all members that are ranked.
func (n *naive) ranked(rows []board.Row) []board.Row {
	if n.spec.Top == nil {
		return rows
	}
	return rows[:min(n.spec.Top.N, len(rows))]
}

// pass fills in Passed and Overtaken of a board with Top: members beyond the best n have one place together.
func (n *naive) pass(m *board.Move, sub board.Submission, rows, before []board.Row) {
	was, is := len(n.ranked(before))+1, min(m.After.Rank, n.spec.Top.N+1)
	if m.Ranked {
		was = min(m.Before.Rank, n.spec.Top.N+1)
	}
	m.Passed = max(was-is, 0)
	for _, row := range n.ranked(rows) {
		if row.Rank > is && row.Rank <= is+min(m.Passed, sub.Overtaken) {
			m.Overtaken = append(m.Overtaken, row)
		}
	}
}

// count goes on with the counts of members beyond the best n.
func (s *script) count() {
	s.t.Helper()
	_, err := tail.CountDue(context.Background(), s.bs.catalog, s.rng.IntN(3))
	require.NoError(s.t, err)
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
				r, err := b.Period(context.Background(), w.Name, period)
				if err != nil {
					continue // it is not kept any more
				}
				for m := range 12 {
					s.checkTop(n, rows, r, string(rune('a'+m)))
				}
			}
		}
	}
}

// checkTop compares the rank and the score of a member, in any mode if the ranking has segments. rows are those of all members.
func (s *script) checkTop(n *naive, rows []board.Row, r board.Ranking, member string) {
	s.t.Helper()
	want, ranked := rowIn(rows, member)
	modes := []board.Mode{board.Ordinal}
	if want.Beyond && n.spec.Top.Segments > 0 {
		modes = []board.Mode{board.Ordinal, board.Competition, board.Modified, board.Dense}
	}
	for _, mode := range modes {
		if len(modes) > 1 {
			want.Rank = ranksOf(rows, mode)[slices.IndexFunc(rows, func(r board.Row) bool { return r.Member == member })]
		}
		got, ok, err := r.By(mode).Rank(context.Background(), member)
		require.NoError(s.t, err)
		require.Equal(s.t, ranked, ok, member)
		if got.Meta = nil; ok {
			require.Equal(s.t, want, s.fit(n, want, got), "mode %v", mode)
		}
	}
	score, ok, err := r.Score(context.Background(), member)
	require.NoError(s.t, err)
	require.Equal(s.t, ranked, ok)
	require.Equal(s.t, want.Score, score)
	if want.Beyond {
		s.counts["beyond"]++
	}
}

package local

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/rules"
)

// vacantSource is a source with ranks that nobody has.
type vacantSource struct {
	ranking.Source
	vacant *ranking.Vacancies
}

func (s vacantSource) Open(ctx context.Context, o *ranking.Opened) error {
	err := s.Source.Open(ctx, o)
	o.Vacancies = *s.vacant
	return err
}

func (s vacantSource) Copy(ctx context.Context) (ranking.Copied, error) {
	c, err := s.Source.Copy(ctx)
	c.Vacancies = *s.vacant
	return c, err
}

// TestVacantRanks: after members have left and kept their ranks, the others have in all modes the ranks of a list that still has the entries, in which an
// entry without a member is behind the members that equal it.
func TestVacantRanks(t *testing.T) {
	seed := uint64(900)
	for _, inParts := range []bool{false, true} {
		for i, ties := range allTies {
			for _, n := range []int{1, 2, 7, 40, fewer(300)} {
				seed++
				w := newWorld(t, seed, directions(1 + i)[i], ties, false)
				var src ranking.Source = heldSource{w.set.View(), metaFor}
				if inParts {
					src = w.divide(t, 3)
				}
				var vacant ranking.Vacancies
				w.Ranking = rankingFrom(vacantSource{src, &vacant}, w.rules, worldKey, func() board.Info { return worldInfo })
				w.fill(t, n)
				list := w.named()
				for range 1 + n/3 {
					x := &list[w.rng.IntN(n)]
					if !x.gone {
						x.gone = true
						score, tie := w.rules.Encode(nil, w.entries[x.member])
						vacant = vacant.With(score, tie)
						w.remove(t, x.member)
					}
				}
				for _, mode := range allModes {
					w.compareVacant(t, w.By(mode), mode, list)
					w.compareVacant(t, mustPin(t, w.By(mode)), mode, list)
				}
			}
		}
	}
}

// named is an entry that is in the ranking, or has been.
type named struct {
	member string
	rules.Entry
	gone bool
}

// named returns all entries.
func (w *world) named() (list []named) {
	for member, e := range w.entries {
		list = append(list, named{member, e, false})
	}
	return list
}

// ranked returns the rows of the entries that are not gone, with the ranks of the list with all of them.
func (w *world) ranked(list []named, mode board.Mode) (rows []board.Row) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b named) int {
		older := cmp.Or(cmp.Compare(a.Reached, b.Reached), cmp.Compare(a.Arrival, b.Arrival))
		if w.rules.Ties() == rules.LastToReach {
			older = -older
		}
		last := 0
		if a.gone != b.gone {
			last = map[bool]int{true: 1, false: -1}[a.gone]
		}
		return cmp.Or(w.compare(a.Score, b.Score), older, last, strings.Compare(a.member, b.member))
	})
	all := make([]board.Row, len(list))
	for i, e := range list {
		all[i] = board.Row{Member: e.member, Score: e.Score}
	}
	w.number(all, mode, func(row *board.Row, rank int) { row.Rank = rank })
	for i, e := range list {
		if !e.gone {
			rows = append(rows, all[i])
		}
	}
	return rows
}

// compareVacant compares all reads that return ranks.
func (w *world) compareVacant(t *testing.T, r board.Ranking, mode board.Mode, list []named) {
	want := w.ranked(list, mode)
	n, err := r.Len(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(want), n)
	same := func(want, got []board.Row) {
		t.Helper()
		require.Len(t, got, len(want))
		for i := range want {
			require.Equal(t, want[i].Member, got[i].Member)
			require.Equal(t, want[i].Rank, got[i].Rank, "%s of %s, %s", mode, want[i].Member, w.rules.Ties())
		}
	}
	rows, err := r.Top(t.Context(), n+1)
	require.NoError(t, err)
	same(want, rows)
	var paged []board.Row
	for at := (board.Cursor{}); !at.Done(); {
		rows, at, err = r.Page(t.Context(), at, 3)
		require.NoError(t, err)
		paged = append(paged, rows...)
	}
	same(want, paged)
	var members []string
	for place, row := range want {
		got, ok, err := r.Rank(t.Context(), row.Member)
		require.NoError(t, err)
		require.True(t, ok)
		same(want[place:place+1], []board.Row{got})
		got, _, err = r.At(t.Context(), place+1)
		require.NoError(t, err)
		same(want[place:place+1], []board.Row{got})
		members = append(members, row.Member)
	}
	standings, err := r.Among(t.Context(), members...)
	require.NoError(t, err)
	for i, x := range standings {
		same(want[i:i+1], []board.Row{x.Row})
	}
	w.compareRankOf(t, r, mode, list)
}

// compareRankOf compares the rank of a new member.
func (w *world) compareRankOf(t *testing.T, r board.Ranking, mode board.Mode, list []named) {
	for range 10 {
		e := rules.Entry{Score: w.drawScore(), Reached: zeroTime.UnixMicro() + 5, Arrival: w.arrival + 1}
		if w.rules.Ties() == rules.ByMember {
			e.Reached, e.Arrival = 0, 0
		}
		rank, err := r.RankOf(t.Context(), e.Score)
		require.NoError(t, err)
		all := slices.Clone(list)
		for i := range all { // behind all equals
			all[i].gone = all[i].gone && w.rules.Ties() != rules.ByMember
		}
		for _, row := range w.ranked(append(all, named{"\xff\xff\xff", e, false}), mode) {
			if row.Member == "\xff\xff\xff" {
				require.Equal(t, row.Rank, rank, "%s of %v, %s", mode, e.Score, w.rules.Ties())
			}
		}
	}
}

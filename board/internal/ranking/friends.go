package ranking

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/board"
)

// Among implements Ranking.
func (r *reader) Among(ctx context.Context, members ...string) (list []board.AmongRow, err error) {
	l, err := r.look(ctx)
	if err != nil {
		return nil, err
	}
	defer l.done(&err)
	return l.among(members)
}

// has reports whether a member is in the ranking. O(1), and O(log n) in a ranking of the best members.
func (l *Look) has(member string) bool {
	if l.n < l.v.Len() {
		_, ok := l.place(member)
		return ok
	}
	_, ok := l.v.Score([]byte(member))
	return ok
}

// among returns the standings of those members that are ranked. It first looks up all members with little in between, so that their cache
// misses overlap. O(members log n).
func (l *Look) among(members []string) ([]board.AmongRow, error) {
	list := make([]board.AmongRow, 0, len(members))
	for _, member := range members {
		if l.has(member) {
			list = append(list, board.AmongRow{Row: board.Row{Member: member}})
		}
	}
	for i := range list {
		member := list[i].Member
		place, score, tie, _ := l.v.RankGet([]byte(member))
		if err := l.fill(&list[i].Row, member, score, tie); err != nil {
			return nil, err
		}
		list[i].Rank = place
	}
	slices.SortFunc(list, func(a, b board.AmongRow) int { return a.Rank - b.Rank })
	list = slices.CompactFunc(list, func(a, b board.AmongRow) bool { return a.Rank == b.Rank })
	for i := range list {
		list[i].Rank = l.rank(list[i].Score, list[i].Rank)
	}
	assign(l.mode, len(list), 0, 1, len(list),
		func(i int) bool { return list[i].Score == list[i-1].Score },
		func(i, rank int) { list[i].Local = rank })
	return list, nil
}

package boardoracle

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
)

// League returns the cohort of a member in the live period.
func (b boardAt) League(ctx context.Context, member string) (board.League, error) {
	if b.spec.Leagues == nil {
		return board.League{}, board.ErrNoLeagues
	}
	win, err := b.window(b.spec.Leagues.Window)
	if err != nil {
		return board.League{}, err
	}
	return b.LeagueOf(ctx, periodOf(win, b.now).Name, member)
}

// LeagueOf returns the cohort of a member in a period.
func (b boardAt) LeagueOf(ctx context.Context, period, member string) (l board.League, err error) {
	if b.spec.Leagues == nil {
		return l, board.ErrNoLeagues
	}
	win := b.windows[b.spec.Leagues.Window]
	seats := win.cohorts[period]
	s, in := seats[member]
	if !in || s.queues {
		return l, board.ErrNoCohort
	}
	l = board.League{Period: period, Tier: b.spec.Leagues.Tiers[s.tier], Band: s.band, Cohort: uint64(s.number) + 1, Settled: s.zone != 0}
	entries := win.periods[period].entries
	for _, row := range b.ranked(seats, entries, member) {
		l.Rows = append(l.Rows, board.LeagueRow{Row: row})
	}
	for _, other := range slices.Sorted(slices.Values(together(seats, member))) {
		if !slices.ContainsFunc(l.Rows, func(row board.LeagueRow) bool { return row.Member == other }) {
			l.Rows = append(l.Rows, board.LeagueRow{Row: board.Row{Member: other}})
		}
	}
	for i := range l.Rows {
		row := &l.Rows[i]
		if row.Zone = seats[row.Member].zone; !l.Settled {
			row.Zone = b.zone(seats, entries, row.Member)
		}
	}
	return l, nil
}

// Promotions iterates over the members that a closed period has promoted and relegated.
func (b boardAt) Promotions(ctx context.Context, period string) iter.Seq2[board.Promotion, error] {
	return func(yield func(board.Promotion, error) bool) {
		tiers, seats := b.spec.Leagues.Tiers, b.windows[b.spec.Leagues.Window].cohorts[period]
		order := func(a, b string) int {
			return cmp.Or(seats[a].compare(seats[b]), cmp.Compare(seats[a].zone, seats[b].zone), cmp.Compare(a, b))
		}
		for _, member := range slices.SortedFunc(maps.Keys(seats), order) {
			s := seats[member]
			p := board.Promotion{Member: member, Zone: s.zone, From: tiers[s.tier], Cohort: uint64(s.number) + 1}
			switch s.zone {
			case board.ZoneUp:
				p.To = tiers[s.tier+1]
			case board.ZoneDown:
				p.To = tiers[s.tier-1]
			default:
				continue
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// Tier returns the tier of a member.
func (b boardAt) Tier(ctx context.Context, member string) (string, error) {
	if b.spec.Leagues == nil {
		return "", board.ErrNoLeagues
	}
	return b.spec.Leagues.Tiers[b.windows[b.spec.Leagues.Window].tiers[member]], nil
}

// SetTier gives a member a tier.
func (b boardAt) SetTier(ctx context.Context, member, name string, a board.Action) (entry uint64, err error) {
	if err := refusesAction(member, a); err != nil {
		return 0, err
	}
	if b.spec.Leagues == nil {
		return 0, board.ErrNoLeagues
	}
	tier := slices.Index(b.spec.Leagues.Tiers, name)
	switch {
	case tier < 0:
		return 0, board.ErrTier
	case a.DryRun:
		return 0, nil
	}
	b.windows[b.spec.Leagues.Window].tiers[member] = tier
	return b.audited("tier", member, a, board.Moderated{}, func(e *audit.Entry) { e.Tier = name }).Entry, nil
}

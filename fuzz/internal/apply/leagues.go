package apply

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// league writes the tier of a member, and its cohort in the live period, or in another one.
func league(b Leaderboard, op script.Op) string {
	ctx := context.Background()
	tier, err := b.Tier(ctx, op.Member)
	if err != nil {
		return boardReply("", err)
	}
	all, err := b.Periods(ctx, b.Spec().Leagues.Window)
	if err != nil {
		return boardReply("", err)
	}
	if n := max(op.Lo, 0); n > 0 && len(all) > 0 {
		return tier + " " + cohortText(b.LeagueOf(ctx, all[len(all)-1-n%len(all)].Period, op.Member))
	}
	return tier + " " + cohortText(b.League(ctx, op.Member))
}

// cohortText writes a cohort. The members that are not ranked are in the order of their names: other orders mean nothing.
func cohortText(l board.League, err error) string {
	if err != nil {
		return boardReply("", err)
	}
	slices.SortStableFunc(l.Rows, func(a, b board.LeagueRow) int {
		if a.Rank > 0 || b.Rank > 0 {
			return cmp.Compare(min(b.Rank, 1), min(a.Rank, 1))
		}
		return cmp.Compare(a.Member, b.Member)
	})
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s %d %d settled=%v:", l.Period, l.Tier, l.Band, l.Cohort, l.Settled)
	for _, row := range l.Rows {
		fmt.Fprintf(&text, " %s %v,", boardRow(row.Row), row.Zone)
	}
	return text.String()
}

// dumpLeagues writes the tiers of all members, the cohorts of all periods, and who was promoted and relegated.
func dumpLeagues(text *strings.Builder, b Leaderboard) error {
	ctx := context.Background()
	if b.Spec().Leagues == nil {
		return nil
	}
	all, err := b.Periods(ctx, b.Spec().Leagues.Window)
	if err != nil {
		return err
	}
	for _, member := range slices.Compact(slices.Sorted(slices.Values(script.Players))) {
		tier, err := b.Tier(ctx, member)
		if err != nil {
			return err
		}
		fmt.Fprintf(text, " league %q %s %s;", member, tier, cohortText(b.League(ctx, member)))
		for _, p := range all {
			text.WriteString(" " + cohortText(b.LeagueOf(ctx, p.Period, member)))
		}
	}
	for _, p := range all {
		if !p.Closed {
			continue
		}
		for m, err := range b.Promotions(ctx, p.Period) {
			if err != nil {
				return err
			}
			fmt.Fprintf(text, " %s %q %v from %s to %s in %d,", p.Period, m.Member, m.Zone, m.From, m.To, m.Cohort)
		}
	}
	return nil
}

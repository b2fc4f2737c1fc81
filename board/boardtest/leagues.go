package boardtest

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
)

// parseLeague reads MEMBER [period=PERIOD].
func parseLeague(a *args) action {
	member := a.word("the member")
	period, ok := a.option("period")
	return onBoard(func(_ *player, b board.Board) (string, error) {
		if ok {
			return leagueText(b.LeagueOf(context.Background(), period, member))
		}
		return leagueText(b.League(context.Background(), member))
	})
}

// leagueText writes TIER COHORT[ band BAND][ settled]: RANK MEMBER SCORE ZONE, …
func leagueText(l board.League, err error) (string, error) {
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%s %d", l.Tier, l.Cohort)
	if l.Band > 0 {
		text += fmt.Sprintf(" band %d", l.Band)
	}
	if l.Settled {
		text += " settled"
	}
	return text + ": " + list(l.Rows, func(row board.LeagueRow) string {
		if row.Rank == 0 {
			return "- " + quote(row.Member)
		}
		return fmt.Sprintf("%d %s %v %v", row.Rank, quote(row.Member), row.Score, row.Zone)
	}), nil
}

// parseTierOf reads MEMBER.
func parseTierOf(a *args) action {
	member := a.word("the member")
	return onBoard(func(_ *player, b board.Board) (string, error) { return b.Tier(context.Background(), member) })
}

// parseSetTier reads MEMBER TIER ACTION.
func parseSetTier(a *args) action {
	member, tier, do := a.word("the member"), a.word("the tier"), a.moderation()
	return onBoard(func(_ *player, b board.Board) (string, error) {
		_, err := b.SetTier(context.Background(), member, tier, do)
		return "", err
	})
}

// parsePromotions reads PERIOD.
func parsePromotions(a *args) action {
	period := a.word("the period")
	return onBoard(func(_ *player, b board.Board) (string, error) {
		var all []board.Promotion
		for p, err := range b.Promotions(context.Background(), period) {
			if err != nil {
				return "", err
			}
			all = append(all, p)
		}
		return list(all, func(p board.Promotion) string {
			return fmt.Sprintf("%s %v from %s to %s", quote(p.Member), p.Zone, p.From, p.To)
		}), nil
	})
}

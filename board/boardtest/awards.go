package boardtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// deliverAgain sets the deliveries of a scenario after a restart.
func (p *player) deliverAgain() error {
	for _, d := range p.deliveries {
		if err := d.set(p.b); err != nil && !errors.Is(err, board.ErrNoBoard) {
			return err
		}
	}
	return nil
}

// parseDeliver reads WINDOW [fails=MEMBER,…].
func parseDeliver(a *args) action {
	window := a.word("the window")
	fails, _ := a.option("fails")
	return func(p *player) (string, error) {
		d := delivery{p.board, window, strings.Split(fails, ",")}
		err := d.set(p.b)
		if err == nil {
			p.deliveries = slices.DeleteFunc(p.deliveries, func(other delivery) bool { return other.board == d.board && other.window == window })
			p.deliveries = append(p.deliveries, d)
		}
		return "", err
	}
}

func parseSettle(*args) action {
	return func(p *player) (string, error) { return "", p.settle() }
}

// parseClaim reads MEMBER ID. The action claims the award, and pays it in the same transaction.
func parseClaim(a *args) action {
	member, id := a.word("the member"), a.word("the award's id")
	return func(p *player) (text string, err error) {
		err = p.update(func(boards *local.Boards, tx *engine.Tx) error {
			in, err := boards.In(tx, p.board)
			if err != nil {
				return err
			}
			got, err := in.Claim(member, id)
			if err != nil {
				return err
			}
			text = tiersText(got.Tiers)
			return pay(tx, got)
		})
		return text, err
	}
}

func parseWithhold(a *args) action {
	id, reason := a.word("the award's id"), a.word("the reason")
	return onBoard(func(p *player, b board.Board) (string, error) {
		return "", b.Withhold(context.Background(), id, reason)
	})
}

func parseRelease(a *args) action {
	id := a.word("the award's id")
	return onBoard(func(p *player, b board.Board) (string, error) { return "", b.Release(context.Background(), id) })
}

// period takes WINDOW/PERIOD.
func (a *args) period() (window, period string) {
	window, period, ok := strings.Cut(a.word("the period"), "/")
	if !ok {
		a.fail("want WINDOW/PERIOD")
	}
	return window, period
}

// parseResettle reads WINDOW/PERIOD [without=MEMBER,…] [awards=PLAN] [dry=true] [reason=TEXT].
func parseResettle(a *args) action {
	window, period := a.period()
	r := awards.Resettlement{}
	if without, ok := a.option("without"); ok {
		r.Without = strings.Split(without, ",")
	}
	if text, ok := a.option("awards"); ok {
		plan, err := parsePlan(text)
		if err != nil {
			a.fail("awards: %w", err)
		}
		r.Plan = &plan
	}
	dry, _ := a.option("dry")
	r.DryRun = dry == "true"
	r.Reason, _ = a.option("reason")
	return onBoard(func(p *player, b board.Board) (string, error) {
		c, err := b.Resettle(context.Background(), window, period, r)
		return fmt.Sprintf("gained %d, lost %d, too much %d", c.Gained, c.Lost, c.TooMuch), err
	})
}

func parseAwards(a *args) action {
	window, period := a.period()
	return onBoard(func(p *player, b board.Board) (string, error) {
		all, err := awardsOf(b, window, period)
		return list(all, awardText), err
	})
}

// awardsOf returns the awards of a period.
func awardsOf(b board.Board, window, period string) (all []awards.Award, err error) {
	for a, err := range b.Awards(context.Background(), window, period) {
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

func parseAwardsOf(a *args) action { return parseOf(a, board.Board.AwardsOf) }

func parseClaimable(a *args) action { return parseOf(a, board.Board.Claimable) }

// parseOf reads MEMBER. The action writes the awards of the member with their windows and periods.
func parseOf(a *args, of func(b board.Board, ctx context.Context, member string) ([]awards.Award, error)) action {
	member := a.word("the member")
	return onBoard(func(p *player, b board.Board) (string, error) {
		all, err := of(b, context.Background(), member)
		return list(all, func(a awards.Award) string { return a.Window + "/" + a.Period + " " + awardText(a) }), err
	})
}

func parseSettlements(a *args) action {
	window := a.word("the window")
	return onBoard(func(p *player, b board.Board) (string, error) {
		all, err := b.Settlements(context.Background(), window)
		return list(all, settlementText), err
	})
}

func settlementText(s awards.Settlement) string {
	if !s.Settled {
		return s.Period + " not settled"
	}
	text := fmt.Sprintf("%s revision %d: %d awards, %d wait", s.Period, s.Revision, s.Awards, s.Waiting)
	if s.Without != nil {
		text += " without " + strings.Join(s.Without, " ")
	}
	return text
}

// parseCoins reads MEMBER….
func parseCoins(a *args) action {
	members := a.rest()
	return func(p *player) (text string, err error) {
		err = p.update(func(_ *local.Boards, tx *engine.Tx) error {
			text = list(members, func(member string) string {
				coins, ok, bad := tx.Get("coins " + member)
				if err = errors.Join(err, bad); !ok {
					coins = []byte("0")
				}
				return member + " " + string(coins)
			})
			return err
		})
		return text, err
	}
}

// awardText writes RANK MEMBER TIERS STATE, what was granted before, what is too much, and the number of failures.
func awardText(a awards.Award) string {
	text := fmt.Sprintf("%d %s %s %v", a.Rank, quote(a.Member), tiersText(a.Tiers), a.State)
	if a.Had != nil {
		text += " had " + tiersText(a.Had)
	}
	if a.TooMuch != nil {
		text += " too much " + tiersText(a.TooMuch)
	}
	if a.Failures > 0 {
		text += fmt.Sprintf(" %d times", a.Failures)
	}
	return text
}

// tiersText writes the names of tiers.
func tiersText(tiers []awards.Tier) string {
	if len(tiers) == 0 {
		return "nothing"
	}
	names := make([]string, len(tiers))
	for i, t := range tiers {
		names[i] = t.Name
	}
	return strings.Join(names, "+")
}

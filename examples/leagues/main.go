// Command leagues is a game with leagues: players are put into cohorts of three as they arrive, and when the week is over the best goes up and the last goes down.
package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

var spec = board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.Week},
	Leagues: &board.Leagues{Window: "week", Tiers: []string{"bronze", "silver", "gold"}, Size: 3, Up: 1, Down: 1}}

// result is what a player has scored.
type result struct {
	player string
	points int64
}

// weeks are the results of three weeks.
var weeks = [][]result{
	{{"ada", 30}, {"bea", 20}, {"cyd", 10}, {"dan", 5}, {"eve", 15}},
	{{"ada", 10}, {"eve", 40}, {"bea", 25}, {"cyd", 5}},
	{{"eve", 1}, {"bea", 2}, {"ada", 3}},
}

func run() error {
	ctx := context.Background()
	now := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	e, err := engine.New(engine.Options{Clock: func() time.Time { return now }})
	if err != nil {
		return err
	}
	defer e.Close()
	boards, err := local.Open(e, local.Options{}) // closes the weeks and settles their cohorts in the background
	if err != nil {
		return err
	}
	defer boards.Close()
	arena, err := boards.Define(ctx, spec)
	if err != nil {
		return err
	}
	for _, week := range weeks {
		for _, r := range week {
			if _, err := arena.Submit(ctx, board.Submission{Member: r.player, Score: board.Ints(r.points)}); err != nil {
				return err
			}
		}
		if err := show(arena, "ada"); err != nil {
			return err
		}
		period, err := arena.Live(ctx, "week")
		if err != nil {
			return err
		}
		over, err := period.Info(ctx)
		if err != nil {
			return err
		}
		now = now.AddDate(0, 0, 7)
		if _, err := boards.SettleDue(ctx); err != nil { // a program that does not set the clock needs no such call
			return err
		}
		for p, err := range arena.Promotions(ctx, over.Period) {
			if err != nil {
				return err
			}
			fmt.Printf("  %s goes %s to %s\n", p.Member, p.Zone, p.To)
		}
	}
	return nil
}

// show prints the cohort of a player.
func show(arena board.Board, player string) error {
	league, err := arena.League(context.Background(), player)
	if err != nil {
		return err
	}
	fmt.Printf("%s, %s, cohort %d\n", league.Period, league.Tier, league.Cohort)
	for _, row := range league.Rows {
		fmt.Printf("  %d %s %v %s\n", row.Rank, row.Member, row.Score, row.Zone)
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

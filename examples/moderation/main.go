// Command moderation is what an operator does about players: a cheater is banned after the week was settled, two accounts become one, and a player
// is erased, with a receipt.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/engine"
)

var (
	ctx  = context.Background()
	now  = time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	spec = board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.Week, board.All}, Awards: []awards.Plan{{
		Window: "week", Claim: true, Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "100"}, {Name: "silver", From: 2, To: 3, Payload: "50"}}}}}
)

// must ends the program after an error.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// show prints the ranking of a period, and the awards of the week.
func show(arena board.Board, week string) {
	ctx := context.Background()
	for _, row := range must(must(arena.Period(ctx, "week", week)).Top(ctx, 10)) {
		fmt.Println(" ", row.Rank, row.Member, row.Score)
	}
	for a, err := range arena.Awards(ctx, "week", week) {
		if a = must(a, err); len(a.Tiers) > 0 {
			fmt.Println("  award:", a.Member, a.Tiers[0].Name, a.State)
		}
	}
}

func main() {
	db := must(zrank.New(&zrank.Options{Engine: engine.Options{Clock: func() time.Time { return now }}}))
	defer db.Close()
	arena := must(db.Define(context.Background(), spec))
	for who, points := range map[string]int64{"mallory": 900, "ada": 40, "bea": 30, "bea@old.example": 15, "cyd": 20} {
		must(arena.Submit(context.Background(), board.Submission{Member: who, Score: board.Ints(points)}))
	}
	now = now.AddDate(0, 0, 7)
	must(db.Boards().SettleDue(ctx))
	fmt.Println("the week is over")
	show(arena, "2026-W47")

	ops := board.Action{By: "ops", Reason: "speed hack"}
	dry := ops
	dry.DryRun = true
	for _, p := range must(arena.Ban(ctx, "mallory", dry)).Places {
		fmt.Printf("a ban would change: %s %s, rank %d, closed %t, %d others move\n", p.Window, p.Period, p.Rank, p.Closed, p.Moved)
	}
	must(arena.Ban(ctx, "mallory", ops))
	_, err := arena.Submit(context.Background(), board.Submission{Member: "mallory", Score: board.Ints(1)})
	fmt.Println("banned:", errors.Is(err, board.ErrBanned))
	must(arena.Resettle(ctx, "week", "2026-W47", awards.Resettlement{Reason: "mallory was banned"}))
	show(arena, "2026-W47")

	must(arena.Merge(ctx, "bea@old.example", "bea", board.Action{By: "support", Reason: "two accounts of one player"}))
	fmt.Println("one account")
	show(arena, "2026-W47")

	receipt := must(db.Erase(ctx, "cyd", board.Action{By: "privacy", Reason: "request 17"}))
	for name, m := range receipt.Boards {
		for _, p := range m.Places {
			fmt.Println("erased from", name, p.Window, p.Period)
		}
		for _, t := range m.Traces {
			fmt.Println("erased from", name, t.Kind, t.Count)
		}
	}
	must(db.Engine().Compact(ctx, nil)) // with a directory: no file has the name any more
	for entry, err := range arena.Audit(context.Background(), audit.Filter{}) {
		fmt.Println(must(entry, err).Number, entry.Kind, entry.Member, entry.To, "by", entry.By+":", entry.Reason)
	}
}

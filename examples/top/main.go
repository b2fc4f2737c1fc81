// Command top is a board of the best three of many. Scores rise and fall; the best three are right at every moment, and the score of everybody
// else is known too.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

func main() {
	ctx := context.Background()
	e, err := engine.New(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	boards, err := local.Open(e, local.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer boards.Close()
	// Last: a result replaces the one before, so scores fall. Two more members than the best three are kept in order, for a while.
	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Op: board.Last, Top: &board.Top{N: 3, Reserve: 2}})
	if err != nil {
		log.Fatal(err)
	}
	var all []board.Submission
	for i := range 1000 {
		all = append(all, board.Submission{Member: fmt.Sprintf("player%03d", i), Score: board.Ints(int64(i))})
	}
	if _, err := arena.SubmitAll(ctx, all); err != nil {
		log.Fatal(err)
	}
	show(arena, "player998", "player996", "player007")
	for i := 999; i >= 990; i-- { // the best ten lose everything, one after the other
		submit(arena, fmt.Sprintf("player%03d", i), 0)
	}
	show(arena, "player998", "player989", "player007")
	submit(arena, "player007", 5000)
	if _, err := arena.Remove(ctx, "player989"); err != nil {
		log.Fatal(err)
	}
	show(arena, "player007", "player989", "player988")
}

// submit submits a result and shows what it did, if it is remarkable.
func submit(b board.Board, player string, points int64) {
	change, err := b.Submit(context.Background(), board.Submission{Member: player, Score: board.Ints(points)})
	if err != nil {
		log.Fatal(err)
	}
	if points > 0 {
		fmt.Printf("%s: %s, then %s, passed %d\n", player, place(change.Before), place(change.After), change.Passed)
	}
}

// show shows the best three, and where some players are.
func show(b board.Board, players ...string) {
	ctx := context.Background()
	live, err := b.Live(ctx, "all")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := live.Top(ctx, 10)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range rows {
		fmt.Printf("%d. %s %v  ", row.Rank, row.Member, row.Score)
	}
	for _, player := range players {
		row, ok, err := live.Rank(ctx, player)
		if err != nil {
			log.Fatal(err)
		}
		if ok {
			fmt.Printf(" | %s %s with %v", player, place(row), row.Score)
		}
	}
	fmt.Println()
}

// place writes a rank.
func place(row board.Row) string {
	return map[bool]string{false: fmt.Sprintf("number %d", row.Rank), true: fmt.Sprintf("beyond %d", row.Rank-1)}[row.Beyond]
}

package board_test

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// A board of flowers: every bouquet counts, for this week and for ever. Who has given as many flowers sooner stands first.
func Example_weekly() {
	monday := time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)
	e, _ := engine.New(engine.Options{Clock: func() time.Time { return monday.Add(100 * time.Hour) }})
	defer e.Close()
	b, err := board.Open(e, board.Spec{Name: "flowers", Op: board.Sum, Windows: []board.Window{board.All, board.Week}})
	if err != nil {
		fmt.Println(err)
		return
	}
	b.Submit(board.Submission{Member: "ada", Score: 99, At: monday.Add(-time.Minute)}) // last week
	b.Submit(board.Submission{Member: "bob", Score: 10, At: monday.Add(1 * time.Hour)})
	b.Submit(board.Submission{Member: "cy", Score: 11, At: monday.Add(2 * time.Hour)})
	b.Submit(board.Submission{Member: "ada", Score: 11, At: monday.Add(3 * time.Hour)})
	change, _ := b.Submit(board.Submission{Member: "bob", Score: 90}) // now
	fmt.Printf("bob: %v flowers, was number %d, is %d\n", change.After.Score, change.Before.Rank, change.After.Rank)

	week, _ := b.Live(board.Week)
	rows, _ := week.Top(3)
	fmt.Println(week.Period())
	for _, row := range rows {
		fmt.Println(row.Rank, row.Member, row.Score)
	}
	// Output:
	// bob: 100 flowers, was number 3, is 2
	// 2026-W47
	// 1 bob 100
	// 2 cy 11
	// 3 ada 11
}

// A race: the lowest time is the best, and a slower lap does no harm.
func Example_race() {
	e, _ := engine.New(engine.Options{})
	defer e.Close()
	b, _ := board.Open(e, board.Spec{Name: "race", Op: board.Best, Order: board.Asc})
	for _, lap := range []board.Submission{
		{Member: "ada", Score: 61.30}, {Member: "bob", Score: 59.80}, {Member: "cy", Score: 60.10},
		{Member: "bob", Score: 63.00}, {Member: "dee", Score: 64.20},
	} {
		b.Submit(lap)
	}
	change, _ := b.Submit(board.Submission{Member: "ada", Score: 59.50})
	fmt.Printf("ada passes %d, from place %d to %d\n", change.Passed, change.Before.Rank, change.After.Rank)

	laps, _ := b.Live(board.All)
	rows, _, _ := laps.Around("cy", 1)
	for _, row := range rows {
		fmt.Printf("%d %-3s %.2f\n", row.Rank, row.Member, row.Score)
	}
	// Output:
	// ada passes 2, from place 3 to 1
	// 2 bob 59.80
	// 3 cy  60.10
	// 4 dee 64.20
}

package board_test

import (
	"fmt"
	"log"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// arena returns a board in memory on which six have scored.
func arena() (b *board.Board, end func()) {
	e, err := engine.New(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	boards, err := board.Open(e, board.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if b, err = boards.Define(board.Spec{Name: "arena", Windows: []board.Window{board.All}}); err != nil {
		log.Fatal(err)
	}
	for _, sub := range []board.Submission{{Member: "ada", Score: board.Ints(50)}, {Member: "bea", Score: board.Ints(40)},
		{Member: "cleo", Score: board.Ints(40)}, {Member: "dora", Score: board.Ints(30)}, {Member: "eve", Score: board.Ints(20)},
		{Member: "fay", Score: board.Ints(10)}} {
		if _, err := b.Submit(sub); err != nil {
			log.Fatal(err)
		}
	}
	return b, func() {
		if err := boards.Close(); err != nil {
			log.Fatal(err)
		}
		if err := e.Close(); err != nil {
			log.Fatal(err)
		}
	}
}

// What a leaderboard on a screen shows, in one call: the first, and the player with those around it.
func ExampleRanking_Card() {
	b, end := arena()
	defer end()
	live, err := b.Live("all")
	if err != nil {
		log.Fatal(err)
	}
	card, err := live.By(board.Competition).Card("eve", 3, 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range card.Top {
		fmt.Println(row.Rank, row.Member, row.Score)
	}
	fmt.Println("...")
	for _, row := range card.Around {
		fmt.Println(row.Rank, row.Member, row.Score)
	}
	fmt.Println(card.Own.Rank, "of", card.Len)
	// Output:
	// 1 ada 50
	// 2 bea 40
	// 2 cleo 40
	// ...
	// 4 dora 30
	// 5 eve 20
	// 6 fay 10
	// 5 of 6
}

// Pages by cursor: what comes back with one page asks for the next, as text in a URL if need be.
func ExampleRanking_Page() {
	b, end := arena()
	defer end()
	live, err := b.Live("all")
	if err != nil {
		log.Fatal(err)
	}
	for at := (board.Cursor{}); !at.Done(); {
		var rows []board.Row
		if rows, at, err = live.Page(at, 4); err != nil {
			log.Fatal(err)
		}
		for _, row := range rows {
			fmt.Printf("%d %s  ", row.Rank, row.Member)
		}
		fmt.Println("done:", at.Done())
		if at, err = board.ParseCursor(at.String()); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 1 ada  2 bea  3 cleo  4 dora  done: false
	// 5 eve  6 fay  done: true
}

// Friends: ranks among themselves, and in the whole ranking.
func ExampleRanking_Among() {
	b, end := arena()
	defer end()
	live, err := b.Live("all")
	if err != nil {
		log.Fatal(err)
	}
	friends, err := live.Among("fay", "bea", "nobody")
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range friends {
		fmt.Println(f.Local, f.Member, "is", f.Rank, "of all")
	}
	gap, _, err := live.Gap("fay", 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("fay lacks", gap.By, "to", gap.To.Member)
	p, _, err := live.Percentile("bea")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("bea is in the top", p.Top, "%")
	// Output:
	// 1 bea is 2 of all
	// 2 fay is 6 of all
	// fay lacks 10 to eve
	// bea is in the top 34 %
}

package local_test

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
)

// arena returns a board in memory on which six members have scored.
func arena() (b board.Board, end func()) {
	e, boards := open()
	b, err := boards.Define(context.Background(), board.Spec{Name: "arena", Windows: []board.Window{board.All}})
	check(err)
	for i, member := range []string{"ada", "bea", "cleo", "dora", "eve", "fay"} {
		_, err := b.Submit(context.Background(), board.Submission{Member: member, Score: board.Ints([]int64{50, 40, 40, 30, 20, 10}[i])})
		check(err)
	}
	return b, func() { check(e.Close()) }
}

// show prints rows.
func show(rows []board.Row) {
	for _, row := range rows {
		fmt.Println(row.Rank, row.Member, row.Score)
	}
}

// The first three of a board.
func ExampleRanking_Top() {
	ctx := context.Background()
	b, end := arena()
	defer end()
	live, err := b.Live(ctx, "all")
	check(err)
	rows, err := live.Top(ctx, 3)
	check(err)
	show(rows)
	// Output:
	// 1 ada 50
	// 2 bea 40
	// 3 cleo 40
}

// The rank of a member, in two modes: cleo has the score of bea, and reached it later.
func ExampleRanking_Rank() {
	ctx := context.Background()
	b, end := arena()
	defer end()
	live, err := b.Live(ctx, "all")
	check(err)
	row, ranked, err := live.Rank(ctx, "cleo")
	check(err)
	fmt.Println(row.Rank, row.Score, ranked)
	row, _, err = live.By(board.Competition).Rank(ctx, "cleo")
	check(err)
	fmt.Println(row.Rank)
	_, ranked, err = live.Rank(ctx, "gil")
	check(err)
	fmt.Println(ranked)
	// Output:
	// 3 40 true
	// 2
	// false
}

// A member with the one before it and the one after.
func ExampleRanking_Around() {
	ctx := context.Background()
	b, end := arena()
	defer end()
	live, err := b.Live(ctx, "all")
	check(err)
	rows, ranked, err := live.Around(ctx, "dora", 1)
	check(err)
	fmt.Println(ranked)
	show(rows)
	// Output:
	// true
	// 3 cleo 40
	// 4 dora 30
	// 5 eve 20
}

// Several calls on the ranking as it is at one moment.
func ExampleRanking_View() {
	ctx := context.Background()
	b, end := arena()
	defer end()
	live, err := b.Live(ctx, "all")
	check(err)
	check(live.View(ctx, func(r board.Ranking) error {
		n, err := r.Len(ctx)
		if err != nil {
			return err
		}
		last, _, err := r.At(ctx, -1)
		fmt.Println(last.Member, "is the last of", n)
		return err
	}))
	// Output:
	// fay is the last of 6
}

// One call reads what a leaderboard on a screen shows: the first rows, and the player with those around it.
func ExampleRanking_Card() {
	ctx := context.Background()
	b, end := arena()
	defer end()
	live, err := b.Live(ctx, "all")
	check(err)
	card, err := live.By(board.Competition).Card(ctx, "eve", 3, 1)
	check(err)
	show(card.Top)
	fmt.Println("...")
	show(card.Around)
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

// Pages by cursor: the cursor that Page returns is for the next page. It may be sent as text in a URL.
func ExampleRanking_Page() {
	ctx := context.Background()
	b, end := arena()
	defer end()
	live, err := b.Live(ctx, "all")
	check(err)
	for at := (board.Cursor{}); !at.Done(); {
		rows, next, err := live.Page(ctx, at, 4)
		check(err)
		for _, row := range rows {
			fmt.Printf("%d %s  ", row.Rank, row.Member)
		}
		fmt.Println("done:", next.Done())
		at, err = board.ParseCursor(next.String())
		check(err)
	}
	// Output:
	// 1 ada  2 bea  3 cleo  4 dora  done: false
	// 5 eve  6 fay  done: true
}

// The ranks of friends among themselves and in the whole ranking.
func ExampleRanking_Among() {
	ctx := context.Background()
	b, end := arena()
	defer end()
	live, err := b.Live(ctx, "all")
	check(err)
	friends, err := live.Among(ctx, "fay", "bea", "nobody")
	check(err)
	for _, f := range friends {
		fmt.Println(f.Local, f.Member, "is", f.Rank, "of all")
	}
	gap, _, err := live.Gap(ctx, "fay", 1)
	check(err)
	fmt.Println("fay lacks", gap.By, "to", gap.To.Member)
	p, _, err := live.Percentile(ctx, "bea")
	check(err)
	fmt.Println("bea is in the top", p.Top, "%")
	// Output:
	// 1 bea is 2 of all
	// 2 fay is 6 of all
	// fay lacks 10 to eve
	// bea is in the top 34 %
}

// Union makes one ranking of several: here of two modes of a game, of which the second counts double.
func ExampleBoards_Union() {
	ctx := context.Background()
	e, boards := open()
	defer e.Close()
	for name, scores := range map[string]map[string]int64{"solo": {"ada": 15, "bea": 8}, "duo": {"ada": 1, "bea": 5}} {
		mode, err := boards.Define(ctx, board.Spec{Name: name, Op: board.Sum})
		check(err)
		for member, score := range scores {
			_, err := mode.Submit(ctx, board.Submission{Member: member, Score: board.Ints(score)})
			check(err)
		}
	}
	game, err := boards.Union(ctx, board.UnionSpec{Sources: []board.UnionSource{
		{Board: "solo"},
		{Board: "duo", Weights: []board.Value{board.Int(2)}},
	}})
	check(err)
	rows, err := game.Top(ctx, 10)
	check(err)
	for _, row := range rows {
		fmt.Println(row.Rank, row.Member, row.Score)
	}
	// Output:
	// 1 bea 18
	// 2 ada 17
}

// Command guilds is a game with guilds and countries: their boards follow the players' one in the same commit, whoever joins, leaves, or is banned.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// must ends the program after an error.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// check ends the program after an error.
func check(err error) { must(0, err) }

// show prints the best of a live week.
func show(title string, b board.Board) {
	ctx := context.Background()
	fmt.Println(title)
	for _, row := range must(must(b.Live(ctx, "week")).Top(ctx, 3)) {
		fmt.Println(" ", row.Rank, row.Member, row.Score)
	}
}

func main() {
	ctx := context.Background()
	e := must(engine.New(engine.Options{}))
	defer e.Close()
	boards := must(local.Open(e, local.Options{}))
	defer boards.Close()
	arena := must(boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.Week, board.All}}))

	// the whole of guilds and countries: two kinds of groups, and a board of each
	guilds, countries := must(boards.DefineGroups(ctx, "guild")), must(boards.DefineGroups(ctx, "country"))
	ladder := must(boards.Define(ctx, board.Spec{Name: "arena/guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}}))
	nations := must(boards.Define(ctx, board.Spec{Name: "arena/countries", Derived: &board.Derived{From: "arena", Groups: "country", Op: board.GroupAverage, Least: 2}}))

	check(guilds.Create(ctx, "wolves", []byte(`{"crest":"moon"}`)))
	check(guilds.Create(ctx, "lions", nil))
	check(countries.Create(ctx, "fr", nil))
	check(countries.Create(ctx, "pt", nil))
	for member, in := range map[string][2]string{"ada": {"wolves", "fr"}, "bea": {"wolves", "pt"}, "cyd": {"lions", "pt"}} {
		check(guilds.Join(ctx, member, in[0]))
		check(countries.Join(ctx, member, in[1]))
	}
	for member, points := range map[string]int64{"ada": 40, "bea": 30, "cyd": 50} {
		must(arena.Submit(ctx, board.Submission{Member: member, Score: board.Ints(points)}))
	}
	show("guilds: points and members", ladder)
	show("countries of two: average, members, points", nations)

	check(guilds.Move(ctx, "ada", "lions"))
	show("ada has gone to the lions", ladder)
	for _, row := range must(guilds.Among(ctx, must(arena.Live(ctx, "week")), "lions")) {
		fmt.Println("  in the lions:", row.Local, row.Member, "of all:", row.Rank)
	}

	must(arena.Ban(ctx, "cyd", board.Action{By: "ops", Reason: "speed hack"}))
	show("cyd was banned", ladder)
	check(guilds.Dissolve(ctx, "lions"))
	show("the lions are no more", ladder)
	_, in, err := guilds.Of(ctx, "ada")
	check(err)
	fmt.Println("ada is in a guild:", in)
}

// Command submit keeps a weekly board in ./zrank-example: the program of the README.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
)

func main() {
	db, err := zrank.Open("zrank-example", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	arena, err := db.Define(ctx, board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week}})
	if err != nil {
		log.Fatal(err)
	}
	submit := func(member string, points int64) {
		// Submit returns when the result is on the disk, in both windows.
		change, err := arena.Submit(ctx, board.Submission{Member: member, Score: board.Ints(points)})
		if err != nil {
			log.Fatal(err)
		}
		week, _ := change.In("week")
		fmt.Printf("%s: %v points, number %d of all time, number %d this week, passed %d\n",
			member, change.After.Score, change.After.Rank, week.After.Rank, week.Passed)
	}
	submit("ada", 15)
	submit("bea", 20)
	submit("ada", 10)
}

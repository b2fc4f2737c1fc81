// Command submit keeps a weekly board in ./zrank-example: the program of the README.
package main

import (
	"fmt"
	"log"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

func main() {
	e, err := engine.Open("zrank-example", engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	boards, err := board.Open(e, board.Options{})
	if err != nil {
		log.Fatal(err)
	}
	arena, err := boards.Define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week}})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range []board.Submission{{Member: "ada", Score: board.Ints(15)}, {Member: "bea", Score: board.Ints(20)}, {Member: "ada", Score: board.Ints(10)}} {
		change, err := arena.Submit(s) // on the disk, in both windows, when it returns
		if err != nil {
			log.Fatal(err)
		}
		week, _ := change.In("week")
		fmt.Printf("%s: %v points, number %d of all time, number %d this week, passed %d\n",
			s.Member, change.After.Score, change.After.Rank, week.After.Rank, week.Passed)
	}
}

// Command cluster is the program of the README with boards in its own process, or, if it is given an address, on a Redis or Valkey cluster:
//
//	go run ./examples/cluster
//	go run ./examples/cluster redis://localhost:6379
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

func main() {
	open := inProcess
	if len(os.Args) > 1 {
		open = func() (board.Store, error) { return onCluster(os.Args[1]) } // the only line that tells one from the other
	}
	boards, err := open()
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(play(boards), boards.Close()); err != nil {
		log.Fatal(err)
	}
}

func onCluster(url string) (board.Store, error) {
	boards, err := cluster.Dial(url, cluster.Options{Partitions: 4})
	if err != nil {
		return nil, err
	}
	return boards, nil
}

func inProcess() (board.Store, error) {
	e, err := engine.New(engine.Options{}) // or engine.Open, to keep it
	if err != nil {
		return nil, err
	}
	boards, err := local.Open(e, local.Options{})
	if err != nil {
		return nil, err
	}
	return boards, nil
}

// play is the game, which does not know where the boards are.
func play(boards board.Store) error {
	ctx := context.Background()
	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week}})
	if err != nil {
		return err
	}
	for _, result := range []struct {
		member string
		points int64
	}{{"ada", 15}, {"bea", 20}, {"ada", 10}} {
		change, err := arena.Submit(ctx, board.Submission{Member: result.member, Score: board.Ints(result.points)})
		if err != nil {
			return err
		}
		week, _ := change.In("week")
		fmt.Printf("%s: %v points, number %d of all time, number %d this week, passed %d\n",
			result.member, change.After.Score, change.After.Rank, week.After.Rank, week.Passed)
	}
	return nil
}

// Command event is a board with a start and an end: of two players on a level the first to reach it ranks higher, and the board refuses results
// before the start and after the end.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

var (
	opens  = time.Date(2026, 12, 21, 17, 0, 0, 0, time.UTC)
	closes = opens.Add(2 * time.Hour)
)

func main() {
	ctx := context.Background()
	var clock atomic.Int64 // the time that the program sets; without Options.Clock an engine uses the real time
	clock.Store(opens.Add(-time.Minute).Unix())
	db, err := zrank.New(&zrank.Options{Engine: engine.Options{Clock: func() time.Time { return time.Unix(clock.Load(), 0) }}})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	race, err := db.Define(ctx, board.Spec{
		Name: "event/winter/race", // the best level counts; of two equal levels, the one reached first ranks higher
		Windows: []board.Window{{Kind: "event", TimeZone: "Europe/Berlin",
			Seasons: []board.Season{{Name: "winter-2026", Start: opens, End: closes}}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	submit := func(minute int, who string, level int64) {
		clock.Store(opens.Add(time.Duration(minute) * time.Minute).Unix())
		change, err := race.Submit(ctx, board.Submission{Member: who, Score: board.Ints(level)})
		outside := new(board.OutsideError)
		switch {
		case errors.As(err, &outside) && outside.After != nil:
			fmt.Printf("%s: not yet, it begins at %s\n", who, outside.After.Start.Format(time.Kitchen))
		case errors.As(err, &outside):
			fmt.Printf("%s: too late, it ended at %s\n", who, outside.Before.End.Format(time.Kitchen))
		case err != nil:
			log.Fatal(err)
		case !change.Changed:
			fmt.Printf("%s: level %d is no better, number %d still\n", who, level, change.After.Rank)
		default:
			fmt.Printf("%s: level %v, number %d of %d\n", who, change.After.Score, change.After.Rank, change.Len)
		}
	}
	submit(-1, "ada", 1)
	submit(5, "ada", 7)
	submit(20, "bea", 7)
	submit(30, "ada", 7) // comes to the same level again: keeps the place
	submit(40, "cyd", 9)
	submit(119, "bea", 9)
	submit(120, "ada", 60)

	result, err := race.Period(ctx, "event", "winter-2026")
	if err != nil {
		log.Fatal(err)
	}
	for row, err := range result.All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d. %s level %v at %s\n", row.Rank, row.Member, row.Score, row.Reached.Format(time.TimeOnly))
	}
}

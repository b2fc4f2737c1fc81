// Command ladder is a ranked ladder with seasons in a time zone. It prints the final table of a season, a player's rank in it, and how far each
// player has risen since.
package main

import (
	"context"
	"fmt"
	"log"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

func main() {
	ctx := context.Background()
	zone, err := time.LoadLocation("America/Sao_Paulo")
	check(err)
	s1, s2, end := time.Date(2026, 1, 1, 0, 0, 0, 0, zone), time.Date(2026, 7, 1, 0, 0, 0, 0, zone), time.Date(2027, 1, 1, 0, 0, 0, 0, zone)

	var clock atomic.Int64 // the time that the program sets; without Options.Clock an engine uses the real time
	clock.Store(s1.Unix())
	db, err := zrank.New(&zrank.Options{Engine: engine.Options{Clock: func() time.Time { return time.Unix(clock.Load(), 0) }}}) // closes seasons in time; Open also those that ended while the program was not running
	check(err)
	defer db.Close()
	ladder, err := db.Define(ctx, board.Spec{
		Name: "ladder",
		Op:   board.Last, // the rating after the last match counts
		Windows: []board.Window{{Name: "season", Kind: "seasons", TimeZone: zone.String(),
			Seasons: []board.Season{{Name: "s1", Start: s1, End: s2}, {Name: "s2", Start: s2, End: end}}}},
	})
	check(err)
	play := func(at time.Time, player string, rating int64) {
		clock.Store(at.Unix())
		_, err := ladder.Submit(ctx, board.Submission{Member: player, Score: board.Ints(rating)})
		check(err)
	}
	play(s1, "ana", 1500)
	play(s1.AddDate(0, 1, 0), "bia", 1480)
	play(s1.AddDate(0, 2, 0), "caio", 1450)
	play(s2.Add(-time.Second), "caio", 1490) // the last second of the season
	play(s2, "caio", 1510)                   // the first of the next one
	play(s2, "duda", 1505)
	play(s2, "ana", 1500)
	_, err = db.Boards().CloseDue(ctx) // a goroutine of the database does this too, within a second
	check(err)

	last, err := ladder.LastClosed(ctx, "season")
	check(err)
	info, err := last.Info(ctx)
	check(err)
	fmt.Printf("season %s, until %s\n", info.Period, info.End.Format(time.RFC3339))
	for row, err := range last.All(ctx) {
		check(err)
		fmt.Printf("  %d. %s %v\n", row.Rank, row.Member, row.Score)
	}
	bia, _, err := last.Rank(ctx, "bia")
	check(err)
	fmt.Printf("bia was number %d\n", bia.Rank)

	live, err := ladder.Live(ctx, "season")
	check(err)
	info, err = live.Info(ctx)
	check(err)
	fmt.Println("season", info.Period)
	arrows, err := live.Arrows(ctx, last, "caio", "duda", "ana", "bia")
	check(err)
	for _, a := range arrows {
		fmt.Printf("  %s: ranked %t, number %d, was %d, up %d\n", a.Member, a.Ranked, a.Rank, a.Was, a.Up)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

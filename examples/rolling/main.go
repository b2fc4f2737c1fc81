// Command rolling is the list of the last three hours: gifts leave it one by one when they are three hours old, and so do whom they were given
// to. The list beside it shows the best single gift of the last three hours.
package main

import (
	"context"
	"fmt"
	"log"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func main() {
	ctx := context.Background()
	var clock atomic.Int64 // the time that the program sets, in microseconds; without Options.Clock an engine uses the real time
	clock.Store(noon.UnixMicro())
	e, err := engine.New(engine.Options{Clock: func() time.Time { return time.UnixMicro(clock.Load()).UTC() }})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	boards, err := local.Open(e, local.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer boards.Close()
	hours := []board.Window{board.Rolling("3h", 3*time.Hour)}
	gifts, err := boards.Define(ctx, board.Spec{Name: "gifts", Op: board.Sum, Windows: hours})
	if err != nil {
		log.Fatal(err)
	}
	best, err := boards.Define(ctx, board.Spec{Name: "best", Op: board.Best, Windows: hours})
	if err != nil {
		log.Fatal(err)
	}
	for _, gift := range []struct {
		minute int
		to     string
		value  int64
	}{{0, "ada", 50}, {20, "bea", 30}, {40, "bea", 40}, {60, "ada", 10}, {90, "ada", 25}} {
		clock.Store(noon.Add(time.Duration(gift.minute) * time.Minute).UnixMicro())
		for _, b := range []board.Board{gifts, best} {
			if _, err := b.Submit(ctx, board.Submission{Member: gift.to, Score: board.Ints(gift.value)}); err != nil {
				log.Fatal(err)
			}
		}
	}
	for _, at := range []time.Duration{2 * time.Hour, 3*time.Hour - time.Microsecond, 3 * time.Hour, 4 * time.Hour, 270 * time.Minute} {
		clock.Store(noon.Add(at).UnixMicro())
		fmt.Printf("%s  %s; best: %s", noon.Add(at).Format("15:04:05.000000"), list(gifts), list(best))
		if next, ok, err := gifts.NextChange(ctx, "3h", "ada"); err != nil {
			log.Fatal(err)
		} else if ok {
			fmt.Printf("; ada's sum changes at %s", next.Format(time.TimeOnly))
		}
		fmt.Println()
	}
}

// list shows the ranking of the last three hours.
func list(b board.Board) (text string) {
	ctx := context.Background()
	hours, err := b.Live(ctx, "3h")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := hours.Top(ctx, 10)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range rows {
		text += fmt.Sprintf("%d. %s %v ", row.Rank, row.Member, row.Score)
	}
	return text
}

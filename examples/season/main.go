// Command season is a board whose days award coins to the best. The process is down for three days; the day before is paid when it is back, and
// nobody is paid twice. A cheat is found after a day was paid: then the others get what they are still owed.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

var spec = board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.Day}, Awards: []awards.Plan{{
	Window: "day", Mode: board.Competition, // players with the same points get the better of two tiers
	Tiers: []awards.Tier{
		{Name: "gold", From: 1, Payload: "100"},
		{Name: "silver", From: 2, To: 3, Payload: "50"},
		{Name: "played", Everyone: true, Payload: "5"},
	}}}}

// grant pays an award. The coins are stored in the transaction that also stores that the award is paid.
func grant(_ context.Context, tx *engine.Tx, a awards.Award) error {
	key := "coins/" + a.Member
	text, _, err := tx.Get(key)
	if err != nil {
		return err
	}
	coins, _ := strconv.ParseInt(string(text), 10, 64) // 0 for a new player
	fmt.Printf("%s: %s is number %d, %s: %d coins\n", a.Period, a.Member, a.Rank, a.Tier, a.Owed)
	return tx.Put(key, strconv.AppendInt(nil, coins+a.Owed, 10)) // less than the tier's coins for one that had another tier before
}

// run is a run of the process at some time, until it ends.
func run(dir string, now time.Time, points map[string]int64, cheat string) error {
	ctx := context.Background()
	db, err := zrank.Open(dir, &zrank.Options{Engine: engine.Options{Clock: func() time.Time { return now }}}) // closes the days that are over
	if err != nil {
		return err
	}
	defer db.Close()
	arena, err := db.Define(ctx, spec)
	if err != nil {
		return err
	}
	for _, who := range []string{"ada", "bea", "cyd", "dan"} {
		if points[who] > 0 {
			if _, err := arena.Submit(ctx, board.Submission{Member: who, Score: board.Ints(points[who])}); err != nil {
				return err
			}
		}
	}
	if cheat != "" {
		if _, err := db.Ban(ctx, cheat, board.Action{By: "referee", Reason: "aimbot"}); err != nil { // and settle the days again
			return err
		}
	}
	if err := db.Boards().Deliver("arena", "day", local.Delivery{Grant: grant}); err != nil { // from now on awards are granted in the background
		return err
	}
	if _, err = db.Boards().SettleDue(ctx); err != nil || points != nil { // a program that goes on needs no such call
		return err
	}
	return db.View(ctx, func(tx *zrank.Tx) error {
		for kv, err := range tx.Scan("coins/") {
			if err != nil {
				return err
			}
			fmt.Printf("%s: %s\n", kv.Key, kv.Value)
		}
		return nil
	})
}

func main() {
	dir, err := os.MkdirTemp("", "season")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	friday := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	for _, x := range []struct {
		days   int // after that Friday
		points map[string]int64
		cheat  string
	}{
		{0, map[string]int64{"ada": 40, "bea": 30, "cyd": 30, "dan": 10}, ""},
		{4, map[string]int64{"dan": 60, "ada": 20}, ""}, // the process was down for three days
		{5, nil, ""},
		{5, nil, ""}, // again: nothing is paid twice
		{6, nil, "dan"},
		{6, nil, "dan"}, // again, as after a crash
	} {
		now := friday.AddDate(0, 0, x.days)
		fmt.Println("the process runs on", now.Format("Monday"))
		if err := run(dir, now, x.points, x.cheat); err != nil {
			log.Fatal(err)
		}
	}
}

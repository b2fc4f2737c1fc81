// Command overtaken is a game server that tells connected players when somebody overtakes them. Players that have asked for it hear of it anywhere in the
// ranking; of the first three places the feed tells anyway.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
)

func main() {
	ctx := context.Background()
	db, err := zrank.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	arena, err := db.Define(ctx, board.Spec{Name: "arena", Op: board.Sum, Feed: &board.Feed{Top: 3}})
	if err != nil {
		log.Fatal(err)
	}
	if err := arena.Watch(ctx, "eve"); err != nil { // she wants to know, wherever she is
		log.Fatal(err)
	}
	// A real server keeps the position of the last event that it has pushed, and goes on behind it after a restart.
	pushed := make(chan string)
	go push(db, feed.Position{}, pushed)
	for i, member := range []string{"ada", "bob", "cy", "dan", "eve", "fay"} {
		submit(arena, member, int64(100-10*i))
	}
	submit(arena, "fay", 15) // she passes eve, who is number five
	submit(arena, "cy", 25)  // and he passes ada and bob
	for range 3 {
		fmt.Println(<-pushed)
	}
}

// push tells players that they were overtaken, until the boards are closed.
func push(db *zrank.DB, last feed.Position, pushed chan<- string) {
	for e, err := range db.Feed(context.Background(), last, feed.Filter{Kinds: []feed.Kind{feed.Overtaken}}) {
		if err != nil {
			return // the boards are closed
		}
		pushed <- fmt.Sprintf("to %s: %s has overtaken you, you are number %d", e.Member, e.By, e.Rank)
	}
}

func submit(b board.Board, member string, points int64) {
	if _, err := b.Submit(context.Background(), board.Submission{Member: member, Score: board.Ints(points)}); err != nil {
		log.Fatal(err)
	}
}

// Command flowers is a game in which players give flowers to stars. One board ranks the stars of the week, another the givers to one star on
// a day. A gift adds to both boards and takes the giver's coins in one transaction.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strconv"
	"time"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

func main() {
	ctx := context.Background()
	friday := func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) } // without Options.Clock an engine uses the real time
	db, err := zrank.New(&zrank.Options{Engine: engine.Options{Clock: friday}})
	check(err)
	defer db.Close()
	stars, err := db.Define(ctx, board.Spec{Name: "flowers/stars", Op: board.Sum, Windows: []board.Window{{Kind: "week", TimeZone: "Asia/Shanghai", Keep: 8}}})
	check(err)
	givers, err := db.Define(ctx, board.Spec{Name: "flowers/luna/givers", Op: board.Sum, Windows: []board.Window{{Kind: "day", TimeZone: "Asia/Shanghai", Keep: 7}}})
	check(err)
	_, err = stars.Submit(ctx, board.Submission{Member: "rex", Score: board.Ints(30)})
	check(err)

	gift := func(giver string, flowers int64) error {
		return db.Update(ctx, func(tx *zrank.Tx) error {
			toStar := add(tx, "flowers/stars", "luna", flowers)
			fromGiver := add(tx, "flowers/luna/givers", giver, flowers)
			return errors.Join(toStar, fromGiver, pay(tx, giver, 2*int(flowers))) // an error rolls back all of it
		})
	}
	fmt.Println("ann gives 9:", gift("ann", 9))
	fmt.Println("bob gives 30:", gift("bob", 30))
	fmt.Println("bob gives 40:", gift("bob", 40))
	show(stars.Live(ctx, "week"))
	show(givers.Live(ctx, "day"))
}

// add adds points of a member to a board.
func add(tx *zrank.Tx, name, member string, points int64) error {
	b, err := tx.Board(name)
	if err != nil {
		return err
	}
	_, err = b.Submit(board.Submission{Member: member, Score: board.Ints(points)})
	return err
}

// pay takes coins from a player's purse, which is a private key of the engine. A purse begins with 100.
func pay(tx *zrank.Tx, player string, coins int) error {
	text, ok, err := tx.Get("coins/" + player)
	if !ok {
		text = []byte("100")
	}
	purse, _ := strconv.Atoi(string(text))
	if purse < coins {
		return fmt.Errorf("has %d coins, not %d", purse, coins)
	}
	return errors.Join(err, tx.Put("coins/"+player, []byte(strconv.Itoa(purse-coins))))
}

// show prints the top of a ranking.
func show(r board.Ranking, err error) {
	ctx := context.Background()
	check(err)
	check(r.View(ctx, func(r board.Ranking) error { // so that the rows are of the period in Info, at midnight too
		info, err := r.Info(ctx)
		check(err)
		top, err := r.Top(ctx, 3)
		fmt.Printf("%s %s:", info.Board, info.Period)
		for _, row := range top {
			fmt.Printf("  %d. %s %v", row.Rank, row.Member, row.Score)
		}
		fmt.Println()
		return err
	}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

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

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

func main() {
	ctx := context.Background()
	friday := func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) } // without Options.Clock an engine uses the real time
	e, err := engine.New(engine.Options{Clock: friday})
	check(err)
	defer e.Close()
	boards, err := local.Open(e, local.Options{})
	check(err)
	stars, err := boards.Define(ctx, board.Spec{Name: "flowers/stars", Op: board.Sum, Windows: []board.Window{{Kind: "week", Zone: "Asia/Shanghai", Keep: 8}}})
	check(err)
	givers, err := boards.Define(ctx, board.Spec{Name: "flowers/luna/givers", Op: board.Sum, Windows: []board.Window{{Kind: "day", Zone: "Asia/Shanghai", Keep: 7}}})
	check(err)
	_, err = stars.Submit(ctx, board.Submission{Member: "rex", Score: board.Ints(30)})
	check(err)

	gift := func(giver string, flowers int64) error {
		to := board.Submission{Member: "luna", Score: board.Ints(flowers)}
		from := board.Submission{Member: giver, Score: to.Score}
		return e.Update(ctx, func(tx *engine.Tx) error {
			_, toStar := stars.In(tx).Submit(to)
			_, fromGiver := givers.In(tx).Submit(from)
			return errors.Join(toStar, fromGiver, pay(tx, giver, 2*int(flowers))) // an error rolls back all of it
		})
	}
	fmt.Println("ann gives 9:", gift("ann", 9))
	fmt.Println("bob gives 30:", gift("bob", 30))
	fmt.Println("bob gives 40:", gift("bob", 40))
	show(stars.Live(ctx, "week"))
	show(givers.Live(ctx, "day"))
}

// pay takes coins from a player's purse, which is a private key of the engine. A purse begins with 100.
func pay(tx *engine.Tx, player string, coins int) error {
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
		top, err := r.Top(ctx, 3)
		fmt.Printf("%s %s:", r.Info().Board, r.Info().Period)
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

package zrank_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strconv"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
)

// A board with two windows in memory: what a player has of all time, and this week.
func Example() {
	db, err := zrank.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	arena, err := db.Define(ctx, board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week}})
	if err != nil {
		log.Fatal(err)
	}
	for member, points := range map[string]int64{"ada": 15, "bea": 20} {
		if _, err := arena.Submit(ctx, board.Submission{Member: member, Score: board.Ints(points)}); err != nil {
			log.Fatal(err)
		}
	}
	week, err := arena.Live(ctx, "week")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := week.Top(ctx, 10)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range rows {
		fmt.Println(row.Rank, row.Member, row.Score)
	}
	// Output:
	// 1 bea 20
	// 2 ada 15
}

// A gift takes coins and gives points in one commit: nobody sees one without the other.
func ExampleDB_Update() {
	db, err := zrank.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	if _, err := db.Define(ctx, board.Spec{Name: "flowers", Op: board.Sum}); err != nil {
		log.Fatal(err)
	}
	err = db.Update(ctx, func(tx *zrank.Tx) error {
		flowers, err := tx.Board("flowers")
		if err != nil {
			return err
		}
		change, err := flowers.Submit(board.Submission{Member: "ada", Score: board.Ints(9)})
		if err != nil {
			return err
		}
		fmt.Println("ada has", change.After.Score, "flowers")
		return tx.Put("coins:bea", []byte("91"))
	})
	fmt.Println(err)
	// Output:
	// ada has 9 flowers
	// <nil>
}

// A guild costs 100 coins. It is founded and joined in the commit that takes the coins: without them there is no guild.
func ExampleTx_Groups() {
	db, err := zrank.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	if _, err := db.DefineGroups(ctx, "guild"); err != nil {
		log.Fatal(err)
	}
	poor := errors.New("not enough coins")
	found := func(member, guild string) error {
		return db.Update(ctx, func(tx *zrank.Tx) error {
			guilds, err := tx.Groups("guild")
			if err != nil {
				return err
			}
			if err := guilds.Create(guild, nil); err != nil {
				return err
			}
			if err := guilds.Join(member, guild); err != nil {
				return err
			}
			value, _, err := tx.Get("coins:" + member)
			if err != nil {
				return err
			}
			coins, _ := strconv.Atoi(string(value))
			if coins < 100 {
				return poor
			}
			return tx.Put("coins:"+member, strconv.AppendInt(nil, int64(coins-100), 10))
		})
	}
	err = db.Update(ctx, func(tx *zrank.Tx) error { return tx.Put("coins:ada", []byte("150")) })
	fmt.Println(err)
	fmt.Println(found("ada", "wolves"))
	fmt.Println(found("bea", "bears"))
	guilds, err := db.Groups(ctx, "guild")
	if err != nil {
		log.Fatal(err)
	}
	all, err := guilds.All(ctx)
	for _, g := range all {
		fmt.Println(g.Name, g.Members, err)
	}
	// Output:
	// <nil>
	// <nil>
	// not enough coins
	// wolves 1 <nil>
}

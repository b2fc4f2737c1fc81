// Command library keeps a ranking in ./zrank-library: the program of docs/library.md, the engine without boards.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/zrankdb/zrank/engine"
)

func main() {
	ctx := context.Background()
	e, err := engine.Open("zrank-library", engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	err = e.Update(ctx, func(tx *engine.Tx) error { // of one set, or of several
		arena, err := tx.Set("arena")
		if err != nil {
			return err // an error takes back whatever was changed
		}
		for i, player := range []string{"ada", "bea", "cyd"} {
			if _, err := arena.IncrBy([]byte(player), float64(10+5*i)); err != nil {
				return err
			}
		}
		return tx.Put("coins:cyd", []byte("100")) // keys of your own commit with the sets
	})
	if err == nil { // all of it is on the disk
		err = e.View(ctx, func(tx *engine.Tx) error {
			arena, err := tx.Set("arena")
			if err != nil {
				return err
			}
			for player, score := range arena.RevRange(0, 2) {
				fmt.Printf("%s: %v points\n", player, score)
			}
			rank, _ := arena.RevRank([]byte("ada")) // from 0
			fmt.Printf("ada is number %d of %d\n", rank+1, arena.Len())
			return nil
		})
	}
	if err != nil {
		log.Fatal(err)
	}
}

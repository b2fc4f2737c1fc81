package engine_test

import (
	"context"
	"fmt"
	"log"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Two boards change in one commit, and are read in one view.
func Example() {
	ctx := context.Background()
	e, err := engine.New(engine.Options{}) // Open(dir, ...) keeps them on disk
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	boards := []string{"arena", "arena:week"}
	for player, points := range map[string]float64{"ada": 15, "grace": 40, "edsger": 25} {
		err := e.Update(ctx, func(tx *engine.Tx) error {
			for _, board := range boards {
				s, err := tx.Set(board)
				if err != nil {
					return err
				}
				if _, err := s.IncrBy([]byte(player), points); err != nil {
					return err // nothing has changed, on either board
				}
			}
			return nil
		}, boards...)
		if err != nil {
			log.Fatal(err)
		}
	}
	err = e.View(ctx, func(tx *engine.Tx) error {
		s, err := tx.Set("arena:week")
		if err != nil {
			return err
		}
		for player, score := range s.RevRange(0, 2) {
			fmt.Printf("%s %v\n", player, score)
		}
		rank, ok := s.RevRank([]byte("ada"))
		fmt.Println(rank, ok)
		return nil
	}, boards...)
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// grace 40
	// edsger 25
	// 2 true
}

// A score and the coins it earns commit together, or not at all.
func ExampleTx_Put() {
	ctx := context.Background()
	e := empty()
	defer e.Close()
	win := func(player string, broken bool) error {
		return e.Update(ctx, func(tx *engine.Tx) error {
			s, err := tx.Set("arena")
			if err != nil {
				return err
			}
			score, err := s.IncrBy([]byte(player), 10)
			if err != nil {
				return err
			}
			if err := tx.Put("coins:"+player, fmt.Append(nil, 5*score)); err != nil || !broken {
				return err
			}
			return fmt.Errorf("no prize for %s", player)
		}, "arena")
	}
	fmt.Println(win("ada", false), win("ada", true))
	err := e.View(ctx, func(tx *engine.Tx) error {
		s, err := tx.Set("arena")
		if err != nil {
			return err
		}
		score, _ := s.Score([]byte("ada"))
		coins, _, err := tx.Get("coins:ada")
		fmt.Printf("%v points, %s coins\n", score, coins)
		return err
	}, "arena")
	fmt.Println(err)
	// Output:
	// <nil> no prize for ada
	// 10 points, 50 coins
	// <nil>
}

// The week is the union of its days, made anew while games go on: writers wait for a page of work at most.
func ExampleEngine_UnionStore() {
	e := empty()
	defer e.Close()
	days := []string{"monday", "tuesday"}
	err := e.Update(context.Background(), func(tx *engine.Tx) error {
		for i, day := range days {
			s, err := tx.Set(day)
			if err != nil {
				return err
			}
			for player, points := range map[string]float64{"ada": 15, "grace": float64(40 * i)} {
				if _, err := s.Add([]byte(player), points); err != nil {
					return err
				}
			}
		}
		return nil
	}, days...)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	n, err := e.UnionStore(ctx, "week", zset.Combine[float64]{Aggregate: zset.Sum}, days...)
	fmt.Println(n, err)
	best, err := e.Inter(ctx, zset.Combine[float64]{Aggregate: zset.Max}, "week", "tuesday")
	if err != nil {
		log.Fatal(err)
	}
	for player, score := range best.RevRange(0, 10) {
		fmt.Printf("%s %v\n", player, score)
	}
	// Output:
	// 2 <nil>
	// grace 40
	// ada 30
}

package local_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// A transfer: ada gives bea 10 of her points, if she has as many. Whoever leads then gets a crown, which is a private key of the program. Nobody sees the
// points on neither side, or twice, or a crown on the wrong head.
func ExampleInTx_Live() {
	ctx := context.Background()
	e, boards := open()
	defer e.Close()
	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum})
	check(err)
	for member, points := range map[string]int64{"ada": 25, "bea": 20} {
		_, err := arena.Submit(ctx, board.Submission{Member: member, Score: board.Ints(points)})
		check(err)
	}
	transfer := func(from, to string, points int64) error {
		less := board.Submission{Member: from, Score: board.Ints(-points)}
		more := board.Submission{Member: to, Score: board.Ints(points)}
		return e.Update(ctx, func(tx *engine.Tx) error {
			in, err := boards.In(tx, "arena")
			if err != nil {
				return err
			}
			all, err := in.Live("all")
			if err != nil {
				return err
			}
			if score, _, err := all.Score(ctx, from); err != nil || score.Int(0) < points {
				return errors.Join(err, errors.New(from+" has too few points"))
			}
			if _, err := in.Submit(less); err != nil {
				return err
			}
			if _, err := in.Submit(more); err != nil {
				return err
			}
			leader, _, err := all.At(ctx, 1) // with both submissions
			if err != nil {
				return err
			}
			return tx.Put("crown", []byte(leader.Member+" with "+strconv.FormatInt(leader.Score.Int(0), 10)))
		})
	}
	fmt.Println(transfer("ada", "bea", 10))
	fmt.Println(transfer("ada", "bea", 90))
	check(e.View(ctx, func(tx *engine.Tx) error {
		crown, _, err := tx.Get("crown")
		fmt.Println(string(crown))
		return err
	}))
	// Output:
	// <nil>
	// ada has too few points
	// bea with 30
}

// A View reads two boards as they are at one moment.
func ExampleBoards_Hints() {
	ctx := context.Background()
	e, boards := open()
	defer e.Close()
	var keys []string
	for _, name := range []string{"duel", "team"} {
		b, err := boards.Define(ctx, board.Spec{Name: name, Op: board.Sum})
		check(err)
		_, err = b.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(int64(len(name)))})
		check(err)
		hints, err := boards.Hints(name)
		check(err)
		keys, err = hints.Read(ctx, keys, "all")
		check(err)
	}
	check(e.View(ctx, func(tx *engine.Tx) error {
		for _, b := range boards.All() {
			in, err := boards.In(tx, b.Name())
			if err != nil {
				return err
			}
			all, err := in.Live("all")
			if err != nil {
				return err
			}
			row, _, err := all.Rank(ctx, "ada")
			if err != nil {
				return err
			}
			fmt.Println(b.Name(), row.Rank, row.Score)
		}
		return nil
	}, keys...))
	// Output:
	// duel 1 4
	// team 1 4
}

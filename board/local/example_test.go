package local_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// friday is a clock that stands still, so that the output of the examples is the same every day.
func friday() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// open returns an engine in memory and its boards.
func open() (*engine.Engine, *local.Boards) {
	e, err := engine.New(engine.Options{Clock: friday})
	check(err)
	boards, err := local.Open(e, local.Options{})
	check(err)
	return e, boards
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// A board of all time and of the week: one submission updates both, and the Change says how.
func Example() {
	ctx := context.Background()
	e, boards := open()
	defer e.Close()
	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week}})
	check(err)
	for _, sub := range []board.Submission{
		{Member: "ada", Score: board.Ints(15), At: friday().AddDate(0, 0, -1)},
		{Member: "bea", Score: board.Ints(20)},
		{Member: "ada", Score: board.Ints(10)},
	} {
		change, err := arena.Submit(ctx, sub)
		check(err)
		week, _ := change.In("week")
		fmt.Printf("%s has %v: number %d of %d, number %d in %s, passed %d\n",
			sub.Member, change.After.Score, change.After.Rank, change.Len, week.After.Rank, week.Period, change.Passed)
	}
	// Output:
	// ada has 15: number 1 of 1, number 1 in 2026-W47, passed 0
	// bea has 20: number 1 of 2, number 1 in 2026-W47, passed 1
	// ada has 25: number 1 of 2, number 1 in 2026-W47, passed 1
}

// Define makes a board, or returns it if it exists with the same spec. Here the lowest time wins; of equal times the lower penalty wins.
func ExampleBoards_Define() {
	e, boards := open()
	defer e.Close()
	race, err := boards.Define(context.Background(), board.Spec{
		Name:    "race",
		Columns: []board.Column{{Name: "seconds", Order: board.Asc}, {Name: "penalty", Order: board.Asc}},
		Windows: []board.Window{board.All, {Kind: window.Day, TimeZone: "Europe/Berlin", Keep: 30}},
	})
	check(err)
	fmt.Println(race.Name(), race.Spec().Op)
	// Output:
	// race best
}

// A Change says what a submission did.
func ExampleBoard_Submit() {
	ctx := context.Background()
	e, boards := open()
	defer e.Close()
	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum})
	check(err)
	for _, member := range []string{"ada", "bea", "bea"} {
		change, err := arena.Submit(ctx, board.Submission{Member: member, Score: board.Ints(10)})
		check(err)
		fmt.Printf("%s: rank %d, score %v, passed %d\n", member, change.After.Rank, change.After.Score, change.Passed)
	}
	// Output:
	// ada: rank 1, score 10, passed 0
	// bea: rank 2, score 10, passed 0
	// bea: rank 1, score 20, passed 1
}

// SubmitAll applies all submissions of a batch or none.
func ExampleBoard_SubmitAll() {
	ctx := context.Background()
	e, boards := open()
	defer e.Close()
	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum})
	check(err)
	changes, err := arena.SubmitAll(ctx, []board.Submission{{Member: "ada", Score: board.Ints(3)}, {Member: "bea", Score: board.Ints(5)}})
	check(err)
	for _, c := range changes {
		fmt.Println(c.After.Member, c.After.Rank)
	}
	_, err = arena.SubmitAll(ctx, []board.Submission{{Member: "ada", Score: board.Ints(1)}, {Member: "", Score: board.Ints(1)}})
	fmt.Println(err)
	// Output:
	// ada 1
	// bea 1
	// submission 1: board: member is empty or longer than 1 KiB: "arena"
}

// weekly returns a board with a ranking for each week, on which ada has 15 points.
func weekly() (arena board.Board, end func()) {
	e, boards := open()
	arena, err := boards.Define(context.Background(), board.Spec{Name: "arena", Windows: []board.Window{board.Week}})
	check(err)
	_, err = arena.Submit(context.Background(), board.Submission{Member: "ada", Score: board.Ints(15)})
	check(err)
	return arena, func() { check(e.Close()) }
}

// The ranking of the week that is live, and of a week by its name.
func ExampleBoard_Live() {
	ctx := context.Background()
	arena, end := weekly()
	defer end()
	live, err := arena.Live(ctx, "week")
	check(err)
	info, err := live.Info(ctx)
	check(err)
	fmt.Println(info.Period)
	named, err := arena.Period(ctx, "week", "2026-W47")
	check(err)
	row, _, err := named.Rank(ctx, "ada")
	check(err)
	fmt.Println(row.Rank, row.Score)
	// Output:
	// 2026-W47
	// 1 15
}

// A period that is closed by hand takes no more results, and its ranking does not change any more.
func ExampleBoard_CloseNow() {
	ctx := context.Background()
	arena, end := weekly()
	defer end()
	info, err := arena.CloseNow(ctx, "week")
	check(err)
	fmt.Println(info.Period, info.Closed)
	_, err = arena.Submit(ctx, board.Submission{Member: "bea", Score: board.Ints(20)})
	fmt.Println(errors.Is(err, board.ErrPeriodClosed))
	last, err := arena.LastClosed(ctx, "week")
	check(err)
	winner, _, err := last.At(ctx, 1)
	check(err)
	fmt.Println(winner.Member)
	// Output:
	// 2026-W47 true
	// true
	// ada
}

// Remove removes a member from every open period, and returns its entries.
func ExampleBoard_Remove() {
	ctx := context.Background()
	e, boards := open()
	defer e.Close()
	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Windows: []board.Window{board.All, board.Week}})
	check(err)
	_, err = arena.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(15)})
	check(err)
	removed, err := arena.Remove(ctx, "ada")
	check(err)
	for _, r := range removed {
		fmt.Println(r.Window, r.Period, r.Row.Rank, r.Row.Score)
	}
	// Output:
	// all all 1 15
	// week 2026-W47 1 15
}

// A retry with the same Once key does nothing, and the Change shows the entry as it is.
func ExampleBoard_Submit_once() {
	ctx := context.Background()
	e, boards := open()
	defer e.Close()
	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum})
	check(err)
	for range 2 {
		change, err := arena.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(15), Once: "match 4711"})
		check(err)
		fmt.Println(change.Duplicate, change.After.Score)
	}
	// Output:
	// false 15
	// true 15
}

// The new rating depends on the present one, which no other call can change meanwhile.
func ExampleBoard_SubmitFunc() {
	ctx := context.Background()
	e, boards := open()
	defer e.Close()
	ladder, err := boards.Define(ctx, board.Spec{Name: "ladder", Op: board.Last})
	check(err)
	win := func(was board.Row, ranked bool) (board.Score, bool) {
		if !ranked {
			return board.Ints(1200), true
		}
		rating, ok := was.Score.At(0).Units()
		return board.Ints(rating + (2000-rating)/50), ok && rating < 2000
	}
	for range 3 {
		change, err := ladder.SubmitFunc(ctx, board.Submission{Member: "ada"}, win)
		check(err)
		fmt.Println(change.After.Score)
	}
	// Output:
	// 1200
	// 1216
	// 1231
}

// A score and the coins paid for it change together or not at all.
func ExampleBoards_In() {
	ctx := context.Background()
	e, boards := open()
	defer e.Close()
	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum})
	check(err)
	play := func(coins string) error {
		return e.Update(ctx, func(tx *engine.Tx) error {
			in, err := boards.In(tx, "arena")
			if err != nil {
				return err
			}
			if _, err := in.Submit(board.Submission{Member: "ada", Score: board.Ints(15)}); err != nil {
				return err
			}
			if coins == "" {
				return errors.New("ada is broke")
			}
			return tx.Put("coins/ada", []byte(coins))
		})
	}
	fmt.Println(play("7"))
	fmt.Println(play(""))
	all, err := arena.Live(ctx, "all")
	check(err)
	score, _, err := all.Score(ctx, "ada")
	check(err)
	fmt.Println(score)
	// Output:
	// <nil>
	// ada is broke
	// 15
}

// Define does not change a board that exists with another spec: the error names the differences. Migrate does.
func ExampleBoards_Migrate() {
	ctx := context.Background()
	e, boards := open()
	defer e.Close()
	race, err := boards.Define(ctx, board.Spec{Name: "race"})
	check(err)
	for member, seconds := range map[string]int64{"ada": 61, "bea": 58} {
		_, err := race.Submit(ctx, board.Submission{Member: member, Score: board.Ints(seconds)})
		check(err)
	}
	spec := board.Spec{Name: "race", Columns: []board.Column{{Order: board.Asc}}}
	_, err = boards.Define(ctx, spec)
	fmt.Println(err)
	race, err = boards.Migrate(ctx, spec)
	check(err)
	all, err := race.Live(ctx, "all")
	check(err)
	best, _, err := all.At(ctx, 1)
	check(err)
	fmt.Println(best.Member, best.Score)
	// Output:
	// board: exists with another spec: "race": column score: order is desc, not asc
	// bea 58
}

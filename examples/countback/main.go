// Command countback ranks a racing season: by points and, of equal points, by who has won more races, then by second places, and so on to the
// 22nd place. The best lap of each driver, in hundredths of a second, decides last.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
)

// points are what the first ten of a race get.
var points = []int64{25, 18, 15, 12, 10, 8, 6, 4, 2, 1}

// places is how many drivers a race has, and races how many races a season.
const places, races = 22, 24

// columns are the points, one for each place, and the best lap. With bounds a column of counts takes five bits of the 256.
func columns() []board.Column {
	between := func(lo, hi int64) (min, max *board.Value) { return new(board.Int(lo)), new(board.Int(hi)) }
	list := []board.Column{{Name: "points"}}
	list[0].Min, list[0].Max = between(0, races*points[0])
	for place := range places {
		c := board.Column{Name: fmt.Sprintf("p%d", place+1)}
		c.Min, c.Max = between(0, races)
		list = append(list, c)
	}
	lap := board.Column{Name: "lap", Decimals: 2, Order: board.Asc, Op: board.Min}
	lap.Min, lap.Max = between(0, 600)
	return append(list, lap)
}

// result is the score that one race gives: its points, a one for its place, and its best lap.
func result(place int, lap float64) board.Score {
	values := make([]board.Value, 1+places, 2+places)
	if place <= len(points) {
		values[0] = board.Int(points[place-1])
	}
	values[place] = board.Int(1)
	return board.Values(append(values, board.Float(lap))...)
}

func main() {
	ctx := context.Background()
	db, err := zrank.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	season, err := db.Define(ctx, board.Spec{Name: "season", Op: board.Sum, Columns: columns()})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range []struct {
		driver string
		place  int
		lap    float64
	}{{"ada", 2, 81.07}, {"ada", 2, 79.9}, {"bea", 1, 80.2}, {"bea", 5, 80.41}, {"bea", 11, 82}, {"cyd", 5, 80.9}, {"cyd", 1, 80.19}, {"dot", 3, 80}} {
		if _, err := season.Submit(ctx, board.Submission{Member: r.driver, Score: result(r.place, r.lap)}); err != nil {
			log.Fatal(err)
		}
	}
	all, err := season.Live(ctx, "all")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := all.Top(ctx, 10)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range rows {
		s := row.Score
		fmt.Printf("%d. %s %v points, %v wins, %v second, best lap %v\n", row.Rank, row.Member, s.At(0), s.At(1), s.At(2), s.At(places+1))
	}
}

package season_test

import (
	"fmt"

	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
)

// Count the results of a small season.
func Example() {
	s, err := season.New(season.Config{Seed: 42, Players: 100, Results: 1000, Weeks: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	n := 0
	for range s.All() {
		n++
	}
	fmt.Println(n, "results from", season.DefaultStart.Format("Monday, 2006-01-02"))
	// Output: 1000 results from Monday, 2026-10-05
}

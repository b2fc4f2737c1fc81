package zset_test

import (
	"fmt"

	"github.com/zrankdb/zrank/zset"
)

func Example() {
	s, err := zset.New(zset.Options{})
	if err != nil {
		panic(err)
	}
	s.Add([]byte("ada"), 3100)
	s.Add([]byte("grace"), 2950)
	s.Add([]byte("linus"), 1200)
	s.IncrBy([]byte("linus"), 2000)

	for member, score := range s.RevRange(0, 2) {
		fmt.Printf("%s %v\n", member, score)
	}
	place, _ := s.RevRank([]byte("grace"))
	fmt.Println("grace is number", place+1)
	lo, hi := s.ScoreInterval(zset.Bound{Score: 3000}, zset.Bound{Score: 3100, Exclusive: true})
	fmt.Println("from 3000 up to, not including, 3100:", hi-lo)
	// Output:
	// linus 3200
	// ada 3100
	// grace is number 3
	// from 3000 up to, not including, 3100: 0
}

// Ties: who reached the score first, at the same score, stands first.
func ExampleSet_AddTied() {
	s, err := zset.New(zset.Options{TieWidth: 8})
	if err != nil {
		panic(err)
	}
	s.AddTied([]byte("late"), []byte("00000009"), 50)
	s.AddTied([]byte("soon"), []byte("00000002"), 50)
	for member := range s.Range(0, 2) {
		fmt.Println(string(member))
	}
	// Output:
	// soon
	// late
}

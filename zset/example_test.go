package zset_test

import (
	"fmt"
	"math"
	"runtime"

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

// Ties: of two members with the same score, the one that reached it first comes first.
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

// A record stands until it is beaten: GT takes a score only if it is higher, and lets new members in.
func ExampleSetOf_AddIf() {
	s, _ := zset.New(zset.Options{})
	for _, score := range []float64{120, 90, 150} {
		outcome, err := s.AddIf([]byte("ada"), score, zset.GT)
		fmt.Println(score, outcome == zset.Added, outcome == zset.Updated, err)
	}
	// Output:
	// 120 true false <nil>
	// 90 false false <nil>
	// 150 false true <nil>
}

// Scores beyond 2^53 are exact in an IntSet, and what would leave the range is refused.
func ExampleNewInt() {
	s, _ := zset.NewInt(zset.Options{})
	s.Add([]byte("coins"), 1<<53)
	score, _ := s.IncrBy([]byte("coins"), 1)
	_, err := s.IncrBy([]byte("coins"), 1<<63-1)
	fmt.Println(score, err)
	// Output:
	// 9007199254740993 zset: score is out of the range of int64
}

// The second page of two of all scores over 10, highest first: Redis ZRANGE k +inf (10 BYSCORE REV LIMIT 2 2.
func ExampleLimit() {
	s, _ := zset.New(zset.Options{})
	for i, m := range []string{"a", "b", "c", "d", "e"} {
		s.Add([]byte(m), float64(10*(i+1)))
	}
	lo, hi := s.Reverse(s.ScoreInterval(zset.Bound{Score: 10, Exclusive: true}, zset.Bound{Score: math.Inf(1)}))
	for member, score := range s.RevRange(zset.Limit(lo, hi, 2, 2)) {
		fmt.Printf("%s %v\n", member, score)
	}
	// Output:
	// c 30
	// b 20
}

// Monday's scores count once, Tuesday's twice.
func ExampleUnion() {
	monday, _ := zset.New(zset.Options{})
	monday.Add([]byte("ada"), 5)
	monday.Add([]byte("grace"), 7)
	tuesday, _ := zset.New(zset.Options{})
	tuesday.Add([]byte("ada"), 4)

	week, err := zset.Union(zset.Options{}, zset.Combine[float64]{Weights: []float64{1, 2}}, monday.View(), tuesday.View())
	for member, score := range week.RevRange(0, 10) {
		fmt.Printf("%s %v\n", member, score)
	}
	fmt.Println(err)
	// Output:
	// ada 13
	// grace 7
	// <nil>
}

// Two share a score: they are both second, and then comes the fourth, or the third.
func ExampleViewOf_RevRankBy() {
	s, _ := zset.New(zset.Options{})
	for m, score := range map[string]float64{"ada": 50, "grace": 40, "linus": 40, "ken": 30} {
		s.Add([]byte(m), score)
	}
	for _, how := range []zset.Mode{zset.Ordinal, zset.Competition, zset.Modified, zset.Dense} {
		grace, _ := s.RevRankBy(how, []byte("grace"))
		ken, _ := s.RevRankBy(how, []byte("ken"))
		fmt.Println(grace+1, ken+1)
	}
	// Output:
	// 3 4
	// 2 4
	// 3 4
	// 2 3
}

// How much is missing to pass the next one.
func ExampleViewOf_Gap() {
	s, _ := zset.New(zset.Options{})
	s.Add([]byte("sarah"), 740)
	s.Add([]byte("you"), 500)
	gap, whom, ok := s.Gap([]byte("you"), 1)
	fmt.Printf("%v points to reach %s, %v\n", gap, whom, ok)
	_, _, ok = s.Gap([]byte("sarah"), 1)
	fmt.Println(ok)
	// Output:
	// 240 points to reach sarah, true
	// false
}

// A set that keeps the best two members, and one in reserve that moves up when one of them is removed.
func ExampleOptions_cap() {
	s, _ := zset.New(zset.Options{Cap: 2, Reserve: 1})
	for i, m := range []string{"a", "b", "c", "d"} {
		s.Add([]byte(m), float64(i))
	}
	s.Remove([]byte("d"))
	for member, score := range s.Range(s.Best()) {
		fmt.Printf("%s %v\n", member, score)
	}
	// Output:
	// b 1
	// c 2
}

// Build makes a set of a sequence of entries; it is the fastest way for many. The last score of a member counts.
func ExampleBuild() {
	s, twice, err := zset.Build(zset.Options{}, runtime.GOMAXPROCS(0), func(yield func([]byte, float64) bool) {
		for i := range 1001 {
			if !yield(fmt.Appendf(nil, "player%03d", i*7%1000), float64(i)) {
				return
			}
		}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for member, score := range s.RevRange(0, 1) {
		fmt.Printf("%s %v of %d, %s came twice\n", member, score, s.Len(), twice)
	}
	// Output:
	// player000 1000 of 1000, player000 came twice
}

// A builder takes many entries in any order and sorts them once at the end. The last score of a member counts.
func ExampleBuilderOf() {
	b, _ := zset.NewBuilder(zset.Options{})
	for i := range 1000 {
		b.Add(fmt.Appendf(nil, "player%03d", i*7%1000), float64(i%10))
	}
	b.Add([]byte("player000"), 99)
	s := b.Set()
	for member, score := range s.RevRange(0, 1) {
		fmt.Printf("%s %v of %d\n", member, score, s.Len())
	}
	// Output:
	// player000 99 of 1000
}

package zset_test

import (
	"fmt"

	"github.com/zrankdb/zrank/zset"
)

// arena is the set that the examples of single calls begin with.
func arena() *zset.Set {
	s, err := zset.New(zset.Options{})
	if err != nil {
		panic(err) // the options are valid
	}
	for member, score := range map[string]float64{"ada": 15, "bea": 40, "cai": 25, "dov": 40} {
		if _, err := s.Add([]byte(member), score); err != nil {
			panic(err) // the score is a number
		}
	}
	return s
}

// As ZADD: a member is added once, and its score set after that.
func ExampleSetOf_Add() {
	s := arena()
	added, err := s.Add([]byte("eve"), 30)
	fmt.Println(added, err, s.Len())
	added, err = s.Add([]byte("eve"), 35)
	fmt.Println(added, err, s.Len())
	// Output:
	// true <nil> 5
	// false <nil> 5
}

// As ZINCRBY: an absent member begins at 0.
func ExampleSetOf_IncrBy() {
	s := arena()
	fmt.Println(s.IncrBy([]byte("ada"), 2.5))
	fmt.Println(s.IncrBy([]byte("eve"), -1))
	// Output:
	// 17.5 <nil>
	// -1 <nil>
}

// As ZREM.
func ExampleSetOf_Remove() {
	s := arena()
	fmt.Println(s.Remove([]byte("ada")), s.Remove([]byte("ada")), s.Len())
	// Output: true false 3
}

// As ZPOPMIN: the lowest scores go first.
func ExampleSetOf_PopMin() {
	s := arena()
	for _, e := range s.PopMin(nil, 2) {
		fmt.Printf("%s %v\n", e.Member, e.Score)
	}
	fmt.Println(s.Len())
	// Output:
	// ada 15
	// cai 25
	// 2
}

// As ZSCORE.
func ExampleViewOf_Score() {
	score, ok := arena().Score([]byte("cai"))
	fmt.Println(score, ok)
	score, ok = arena().Score([]byte("nobody"))
	fmt.Println(score, ok)
	// Output:
	// 25 true
	// 0 false
}

// As ZRANK and ZREVRANK: ranks begin at 0. Members with the same score are in the order of their bytes.
func ExampleViewOf_Rank() {
	s := arena()
	rank, _ := s.Rank([]byte("bea"))
	revRank, _ := s.RevRank([]byte("bea"))
	fmt.Println(rank, revRank)
	// Output: 2 1
}

// As ZREVRANGE, but from the first rank up to before the second.
func ExampleViewOf_RevRange() {
	for member, score := range arena().RevRange(0, 3) {
		fmt.Printf("%s %v\n", member, score)
	}
	// Output:
	// dov 40
	// bea 40
	// cai 25
}

// Append returns copies, while the members of Range alias the set.
func ExampleViewOf_Append() {
	for i, e := range arena().Append(nil, 1, 3) {
		fmt.Printf("%d %s %v\n", 1+i, e.Member, e.Score)
	}
	// Output:
	// 1 cai 25
	// 2 bea 40
}

// As ZRANGEBYSCORE (15 40: the interval of ranks says how many there are, as ZCOUNT, and which.
func ExampleViewOf_ScoreInterval() {
	s := arena()
	lo, hi := s.ScoreInterval(zset.Bound{Score: 15, Exclusive: true}, zset.Bound{Score: 40})
	fmt.Println(hi - lo)
	for member := range s.Range(lo, hi) {
		fmt.Println(string(member))
	}
	// Output:
	// 3
	// cai
	// bea
	// dov
}

// The rank and the score by one look-up, and then the entries on each side.
func ExampleViewOf_RankScore() {
	s := arena()
	rank, score, ok := s.RankScore([]byte("cai"))
	fmt.Println(rank, score, ok)
	for member := range s.Range(rank-1, rank+2) {
		fmt.Println(string(member))
	}
	// Output:
	// 1 25 true
	// ada
	// cai
	// bea
}

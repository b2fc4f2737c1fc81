package resp_test

import (
	"math"
	"time"

	"github.com/redis/go-redis/v9"
)

// goRow is a call of a method of go-redis, and the result that it must have.
type goRow struct {
	method string
	args   []any // without the context
	want   []any // without the error
	err    error
}

func call(method string, args ...any) goRow { return goRow{method: method, args: args} }

func (r goRow) gives(want ...any) goRow { r.want = want; return r }

func (r goRow) fails(err error) goRow { r.err = err; return r }

type (
	zs    = []redis.Z
	names = []string
)

func z(score float64, member string) redis.Z { return redis.Z{Score: score, Member: member} }

// goChanges begin on an empty server. Each of the lists after it begins with the keys that the list before has left. Together they call every
// method that go-redis has for sorted sets.
var goChanges = []goRow{
	call("ZAdd", "k", zs{z(1, "a"), z(2, "b"), z(2.5, "c")}).gives(int64(3)),
	call("ZAdd", "k", zs{z(1, "a")}).gives(int64(0)),
	call("ZAddLT", "k", zs{z(5, "a"), z(0.5, "b")}).gives(int64(0)),
	call("ZAddGT", "k", zs{z(2, "b"), z(0, "c")}).gives(int64(0)),
	call("ZAddNX", "k", zs{z(9, "a"), z(3, "d")}).gives(int64(1)),
	call("ZAddXX", "k", zs{z(1.5, "a"), z(3, "e")}).gives(int64(0)),
	call("ZAddArgs", "k", redis.ZAddArgs{XX: true, GT: true, Ch: true, Members: zs{z(7, "d"), z(1, "a"), z(1, "none")}}).gives(int64(1)),
	call("ZAddArgsIncr", "k", redis.ZAddArgs{Members: zs{z(0.25, "a")}}).gives(1.75),
	call("ZAddArgsIncr", "k", redis.ZAddArgs{NX: true, Members: zs{z(1, "a")}}).gives(0.0).fails(redis.Nil),
	call("ZIncrBy", "k", -10.0, "d").gives(-3.0),
	call("ZIncrBy", "k", math.Inf(1), "inf").gives(math.Inf(1)),
	call("ZRangeWithScores", "k", int64(0), int64(-1)).gives(zs{z(-3, "d"), z(1.75, "a"), z(2, "b"), z(2.5, "c"), z(math.Inf(1), "inf")}),
	call("ZRem", "k", []any{"inf", "nobody"}).gives(int64(1)),
	call("ZRemRangeByRank", "k", int64(0), int64(0)).gives(int64(1)),
	call("ZRemRangeByScore", "k", "(1.75", "2").gives(int64(1)),
	call("ZAdd", "l", zs{z(0, "x"), z(0, "y"), z(0, "z")}).gives(int64(3)),
	call("ZRemRangeByLex", "l", "[y", "(z").gives(int64(1)),
	call("ZCard", "l").gives(int64(2)),
	call("Del", names{"k", "l"}).gives(int64(2)),
}

var goReads = []goRow{
	call("ZAdd", "k", zs{z(1, "a"), z(2, "b"), z(3, "c")}).gives(int64(3)),
	call("ZAdd", "l", zs{z(0, "x"), z(0, "y"), z(0, "z")}).gives(int64(3)),
	call("ZCard", "k").gives(int64(3)),
	call("ZCount", "k", "(1", "+inf").gives(int64(2)),
	call("ZLexCount", "l", "-", "(z").gives(int64(2)),
	call("ZScore", "k", "b").gives(2.0),
	call("ZScore", "k", "nobody").gives(0.0).fails(redis.Nil),
	call("ZMScore", "k", names{"a", "nobody", "c"}).gives([]float64{1, 0, 3}),
	call("ZRank", "k", "c").gives(int64(2)),
	call("ZRank", "k", "nobody").gives(int64(0)).fails(redis.Nil),
	call("ZRevRank", "k", "c").gives(int64(0)),
	call("ZRandMember", "l", 5).gives(names{"x", "y", "z"}), // in any order
	call("ZRandMemberWithScores", "one", 5).gives(zs{}),
	call("ZScan", "k", uint64(0), "[ab]", int64(10)).gives(names{"a", "1", "b", "2"}, uint64(0)),
}

// goLaterReads are of Redis 7.2, after goReads.
var goLaterReads = []goRow{
	call("ZRankWithScore", "k", "c").gives(redis.RankScore{Rank: 2, Score: 3}),
	call("ZRevRankWithScore", "k", "c").gives(redis.RankScore{Rank: 0, Score: 3}),
	call("ZRankWithScore", "k", "nobody").gives(redis.RankScore{}).fails(redis.Nil),
	call("ZUnionWithScores", redis.ZStore{Keys: names{"k", "l"}, Weights: []float64{2, 1}, Aggregate: "COUNT"}).gives(
		zs{z(1, "x"), z(1, "y"), z(1, "z"), z(2, "a"), z(2, "b"), z(2, "c")}),
}

var goRanges = []goRow{
	call("ZRange", "k", int64(0), int64(-1)).gives(names{"a", "b", "c"}),
	call("ZRangeWithScores", "k", int64(1), int64(1)).gives(zs{z(2, "b")}),
	call("ZRangeByScore", "k", &redis.ZRangeBy{Min: "(1", Max: "+inf", Offset: 1, Count: 5}).gives(names{"c"}),
	call("ZRangeByLex", "l", &redis.ZRangeBy{Min: "[x", Max: "(z"}).gives(names{"x", "y"}),
	call("ZRangeByScoreWithScores", "k", &redis.ZRangeBy{Min: "-inf", Max: "2"}).gives(zs{z(1, "a"), z(2, "b")}),
	call("ZRangeArgs", redis.ZRangeArgs{Key: "k", Start: "3", Stop: "(1", ByScore: true, Rev: true, Offset: 0, Count: 1}).gives(names{"c"}),
	call("ZRangeArgs", redis.ZRangeArgs{Key: "l", Start: "-", Stop: "+", ByLex: true}).gives(names{"x", "y", "z"}),
	call("ZRangeArgsWithScores", redis.ZRangeArgs{Key: "k", Start: 0, Stop: 1, Rev: true}).gives(zs{z(3, "c"), z(2, "b")}),
	call("ZRangeStore", "dst", redis.ZRangeArgs{Key: "k", Start: "2", Stop: "inf", ByScore: true}).gives(int64(2)),
	call("ZRevRange", "dst", int64(0), int64(-1)).gives(names{"c", "b"}),
	call("ZRevRangeWithScores", "k", int64(0), int64(0)).gives(zs{z(3, "c")}),
	call("ZRevRangeByScore", "k", &redis.ZRangeBy{Min: "-inf", Max: "2"}).gives(names{"b", "a"}),
	call("ZRevRangeByLex", "l", &redis.ZRangeBy{Min: "-", Max: "(z"}).gives(names{"y", "x"}),
	call("ZRevRangeByScoreWithScores", "k", &redis.ZRangeBy{Min: "-inf", Max: "+inf", Offset: 1, Count: 1}).gives(zs{z(2, "b")}),
}

var goCombinations = []goRow{
	call("ZAdd", "m", zs{z(10, "b"), z(20, "c"), z(30, "d")}).gives(int64(3)),
	call("ZInter", &redis.ZStore{Keys: names{"k", "m"}}).gives(names{"b", "c"}),
	call("ZInterWithScores", &redis.ZStore{Keys: names{"k", "m"}, Weights: []float64{2, 0.5}}).gives(zs{z(9, "b"), z(16, "c")}),
	call("ZInterCard", int64(1), names{"k", "m"}).gives(int64(1)),
	call("ZInterStore", "dst", &redis.ZStore{Keys: names{"k", "m"}, Aggregate: "MAX"}).gives(int64(2)),
	call("ZRangeWithScores", "dst", int64(0), int64(-1)).gives(zs{z(10, "b"), z(20, "c")}),
	call("ZUnion", redis.ZStore{Keys: names{"k", "m"}}).gives(names{"a", "b", "c", "d"}),
	call("ZUnionWithScores", redis.ZStore{Keys: names{"k", "m"}, Aggregate: "MIN"}).gives(zs{z(1, "a"), z(2, "b"), z(3, "c"), z(30, "d")}),
	call("ZUnionStore", "dst", &redis.ZStore{Keys: names{"k", "m"}, Weights: []float64{1, 0}}).gives(int64(4)),
	call("ZDiff", names{"m", "k"}).gives(names{"d"}),
	call("ZDiffWithScores", names{"k", "m"}).gives(zs{z(1, "a")}),
	call("ZDiffStore", "dst", names{"k", "m"}).gives(int64(1)),
}

var goPops = []goRow{
	call("ZPopMin", "k", []int64{}).gives(zs{z(1, "a")}),
	call("ZPopMax", "k", []int64{5}).gives(zs{z(3, "c"), z(2, "b")}),
	call("ZPopMin", "k", []int64{2}).gives(zs{}),
	call("ZMPop", "max", int64(2), names{"k", "m"}).gives("m", zs{z(30, "d"), z(20, "c")}),
	call("ZMPop", "min", int64(1), names{"k"}).gives("", zs(nil)).fails(redis.Nil),
	call("BZPopMin", time.Second, names{"k", "l"}).gives(&redis.ZWithKey{Z: z(0, "x"), Key: "l"}),
	call("BZPopMax", time.Second, names{"k", "l"}).gives(&redis.ZWithKey{Z: z(0, "z"), Key: "l"}),
	call("BZMPop", time.Second, "min", int64(3), names{"k", "l"}).gives("l", zs{z(0, "y")}),
	call("Exists", names{"k", "l"}).gives(int64(0)),
	call("FlushAll").gives("OK"),
}

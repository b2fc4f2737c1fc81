package resptest

import (
	"slices"
	"strconv"
	"strings"
)

var commands = slices.Concat(changes, ranges, pops, combinations, keyspace)

func commandNamed(name string) command {
	return commands[slices.IndexFunc(commands, func(c command) bool { return c.name == name })]
}

var changes = []command{
	{"ZADD", 60, zadd},
	{"ZINCRBY", 20, func(g *generator) []string { return []string{g.key(), g.score(), g.member()} }},
	{"ZREM", 12, keyAndMembers},
	{"ZCARD", 8, oneKey},
	{"ZSCORE", 10, keyAndMember},
	{"ZMSCORE", 8, keyAndMembers},
	{"ZRANK", 10, keyAndMember},
	{"ZREVRANK", 10, keyAndMember},
	{"ZREMRANGEBYRANK", 3, func(g *generator) []string { return []string{g.key(), g.integer(), g.count()} }},
	{"ZREMRANGEBYSCORE", 3, func(g *generator) []string { return []string{g.key(), g.scoreBound(), g.scoreBound()} }},
	{"ZREMRANGEBYLEX", 3, func(g *generator) []string { return []string{g.key(), g.lexBound(), g.lexBound()} }},
	{"ZSCAN", 8, func(g *generator) []string { return append([]string{g.key()}, g.walk()...) }},
}

func zadd(g *generator) []string {
	words := []string{g.key()}
	if g.IntN(3) == 0 {
		words = append(words, g.shuffled(g.maybe(4, "NX"), g.maybe(4, "XX"), g.maybe(4, "GT"), g.maybe(4, "LT"), g.maybe(2, "CH"), g.maybe(5, "INCR"))...)
	}
	for range 1 + g.IntN(4)*g.IntN(2) {
		words = append(words, g.score(), g.member())
	}
	return words
}

var ranges = []command{
	{"ZCOUNT", 10, func(g *generator) []string { return []string{g.key(), g.scoreBound(), g.scoreBound()} }},
	{"ZLEXCOUNT", 8, func(g *generator) []string { return []string{g.key(), g.lexBound(), g.lexBound()} }},
	{"ZRANGE", 40, func(g *generator) []string { return append([]string{g.key()}, g.rangeArgs(true)...) }},
	{"ZRANGESTORE", 12, func(g *generator) []string { return append(g.keys(2), g.rangeArgs(false)...) }},
	{"ZREVRANGE", 8, func(g *generator) []string {
		return slices.Concat([]string{g.key(), g.integer(), g.integer()}, g.maybe(2, "WITHSCORES"))
	}},
	{"ZRANGEBYSCORE", 10, func(g *generator) []string { return g.byScore() }},
	{"ZREVRANGEBYSCORE", 10, func(g *generator) []string { return g.byScore() }},
	{"ZRANGEBYLEX", 8, func(g *generator) []string { return g.byLex() }},
	{"ZREVRANGEBYLEX", 8, func(g *generator) []string { return g.byLex() }},
	{"ZRANDMEMBER", 10, func(g *generator) []string {
		return append([]string{g.key()}, g.maybe(1+g.IntN(4), append([]string{pick(g, g.integer(), "1000")}, g.maybe(2, "WITHSCORES")...)...)...)
	}},
}

func (g *generator) byScore() []string {
	return append([]string{g.key(), g.scoreBound(), g.scoreBound()}, g.shuffled(g.maybe(2, "WITHSCORES"), g.limit(3))...)
}

func (g *generator) byLex() []string {
	return append([]string{g.key(), g.lexBound(), g.lexBound()}, g.limit(3)...)
}

func (g *generator) limit(oneIn int) []string {
	return g.maybe(oneIn, "LIMIT", g.integer(), g.integer())
}

// rangeArgs returns the arguments of ZRANGE after its key.
func (g *generator) rangeArgs(scores bool) []string {
	var bounds, options []string
	limit := g.limit(3)
	switch g.IntN(3) {
	case 0:
		bounds = []string{g.integer(), g.integer()}
		limit = g.maybe(20, "LIMIT", g.integer(), "-1")
	case 1:
		bounds, options = []string{g.scoreBound(), g.scoreBound()}, []string{"BYSCORE"}
	case 2:
		bounds, options = []string{g.lexBound(), g.lexBound()}, []string{"BYLEX"}
		scores = scores && g.IntN(10) == 0
	}
	with := g.maybe(2, "WITHSCORES")
	if !scores {
		with = nil
	}
	return append(bounds, g.shuffled(options, g.maybe(2, "REV"), with, limit)...)
}

var pops = []command{
	{"ZPOPMIN", 5, func(g *generator) []string { return append([]string{g.key()}, g.maybe(2, g.count())...) }},
	{"ZPOPMAX", 5, func(g *generator) []string { return append([]string{g.key()}, g.maybe(2, g.count())...) }},
	{"ZMPOP", 6, func(g *generator) []string { return g.mpop() }},
	{"BZPOPMIN", 4, func(g *generator) []string { return append(g.keys(1+g.IntN(3)), g.timeout()) }},
	{"BZPOPMAX", 4, func(g *generator) []string { return append(g.keys(1+g.IntN(3)), g.timeout()) }},
	{"BZMPOP", 5, func(g *generator) []string { return append([]string{g.timeout()}, g.mpop()...) }},
	{"BZPOPMIN never", 1, func(*generator) []string { return []string{"0.001"} }},
}

func (g *generator) timeout() string {
	return pick(g, "0", "0", "0", "1000", g.oneOf([]string{"0"}, []string{"-1", "x", "nan", "inf", "1e30", "", "-0", "1e5"}))
}

func (g *generator) mpop() []string {
	return slices.Concat(g.numbered(1+g.IntN(3)), []string{pick(g, "MIN", "MAX")}, g.maybe(2, "COUNT", g.count()))
}

// numbered returns a number of keys and the keys. Rarely the number is wrong.
func (g *generator) numbered(n int) []string {
	number := strconv.Itoa(n)
	if g.IntN(25) == 0 {
		number = g.integer()
	}
	return append([]string{number}, g.keys(n)...)
}

var combinations = []command{
	{"ZUNION", 10, func(g *generator) []string { return g.combination(true, true) }},
	{"ZINTER", 10, func(g *generator) []string { return g.combination(true, true) }},
	{"ZDIFF", 6, func(g *generator) []string { return g.combination(false, true) }},
	{"ZUNIONSTORE", 8, func(g *generator) []string { return append([]string{g.key()}, g.combination(true, false)...) }},
	{"ZINTERSTORE", 8, func(g *generator) []string { return append([]string{g.key()}, g.combination(true, false)...) }},
	{"ZDIFFSTORE", 6, func(g *generator) []string { return append([]string{g.key()}, g.combination(false, false)...) }},
	{"ZINTERCARD", 6, func(g *generator) []string { return append(g.numbered(1+g.IntN(3)), g.maybe(2, "LIMIT", g.count())...) }},
}

func (g *generator) combination(weighted, scores bool) []string {
	n := 1 + g.IntN(4)
	words := g.numbered(n)
	var weights, aggregate, with []string
	if weighted && g.IntN(3) == 0 {
		weights = []string{"WEIGHTS"}
		for range n {
			weights = append(weights, g.score())
		}
	}
	if weighted {
		aggregate = g.maybe(2, "AGGREGATE", pick(g, "SUM", "MIN", "MAX", "sum", "Max"))
	}
	if scores {
		with = g.maybe(2, "WITHSCORES")
	}
	return append(words, g.shuffled(weights, aggregate, with)...)
}

// Names lists the commands of random scripts, each once.
func Names() []string {
	var names []string
	for _, c := range commands {
		name, _, _ := strings.Cut(c.name, " ")
		names = append(names, name)
	}
	slices.Sort(names)
	return append(slices.Compact(names), "HELLO", "MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH", "RESET")
}

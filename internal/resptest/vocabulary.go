package resptest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Words that commands are made of.
var (
	keyNames = []string{"a", "b", "c", "d", "a", "b", "c", "d", "{s}", "str", "none", "stored", "too"} // and lexKey and its like
	members  = []string{
		"a", "b", "c", "d", "e", "f", "g", "h", "ab", "abc", "b2", "", "7", "007", "-0", "-5", "1e5", "9223372036854775807", "nx", "withscores",
		"\xff", "\x00", "x y", "\r\n", strings.Repeat("l", 64), strings.Repeat("L", 65),
	}
	goodScores = []string{
		"0", "1", "2", "3", "4", "5", "-1", "-2", "10", "1.5", "0.1", "3.3", "-7.25", "1e2", "+3", ".5", "5.", "0x10", "inf", "-inf", "+inf", "Infinity", "-0", "-0.0",
		"1e17", "1e21", "1e-7", "5e-324", "1e308", "-1e308", "123456789012345678", "4611686018427387904", "9007199254740993", "0.30000000000000004",
	}
	badScores  = []string{"nan", "-nan", "", " 1", "1 ", "1x", "1_000", "1e400", "-1e400", "1e-400", "abc", "0x", "(1", "1,5", "--1", "infinit"}
	badRanges  = []string{"1\x00x", "(\x00", "", "(", " 1", "1 ", "((1", "[1", "(nan", "nan", "1e400", "(-inf", "(inf", "0x10", "+", "-", "x", "( 1", "1e-400"}
	badLex     = []string{"", "[", "(", "a", "0", "-inf", "+inf", "[a b", "+a", "-a", " -"}
	goodInts   = []string{"0", "1", "2", "3", "5", "-1", "-2", "-3", "-5", "10", "100", "-100"}
	oddInts    = []string{"9223372036854775807", "-9223372036854775808", "4294967296", "2147483648", "1000000000000"}
	badInts    = []string{"1\x00x", "", "x", "1.0", "+1", "01", "-0", "9223372036854775808", "-9223372036854775809", " 1", "1e2"}
	patterns   = []string{"*", "a*", "?", "[a-c]", "[^a]", "*b*", "\\a", "m0*", "", "[", "{s}", "m?1[0-5]", "no"}
	keywords   = []string{"NX", "XX", "GT", "LT", "CH", "INCR", "REV", "BYSCORE", "BYLEX", "LIMIT", "WITHSCORES", "WEIGHTS", "AGGREGATE", "COUNT", "MATCH", "MIN", "MAX", "SUM"}
	thresholds = []string{"0", "1", "2", "3", "10", "64", "128", "128", "128", "256"}
)

// If members have different scores, Redis's reply to a range by member may depend on the random towers of its skiplist: see walking.go. So such
// commands use these keys: a set whose members all have the same score, a string, and a key that does not exist.
const (
	lexKey  = "lex"
	textKey = "text"
	noKey   = "never"
)

func (g *generator) key() string { return pick(g, keyNames...) }

func (g *generator) keys(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = g.key()
	}
	return list
}

func (g *generator) member() string {
	if g.members > 0 && g.IntN(3) > 0 {
		return g.numberedMember()
	}
	return pick(g, members...)
}

// numberedMember returns one of g.members numbered members.
func (g *generator) numberedMember() string { return fmt.Sprintf("m%03d", g.IntN(max(g.members, 1))) }

// oneOf returns a word of good, and rarely one of bad.
func (g *generator) oneOf(good, bad []string) string {
	if g.IntN(30) == 0 {
		return pick(g, bad...)
	}
	return pick(g, good...)
}

func (g *generator) score() string {
	if g.IntN(2) == 0 {
		return strconv.Itoa(g.IntN(20) - 5)
	}
	return g.oneOf(goodScores, badScores)
}

func (g *generator) integer() string {
	if g.IntN(30) == 0 {
		return pick(g, oddInts...)
	}
	if g.members > 0 && g.IntN(2) == 0 {
		return strconv.Itoa(g.IntN(600) - 300)
	}
	return g.oneOf(goodInts, badInts)
}

// count returns a number that is mostly positive.
func (g *generator) count() string {
	if g.IntN(8) == 0 {
		return g.integer()
	}
	return strconv.Itoa(1 + g.IntN(6))
}

func (g *generator) scoreBound() string {
	if g.IntN(40) == 0 {
		return pick(g, badRanges...)
	}
	s := pick(g, "-inf", "+inf", strconv.Itoa(g.IntN(20)-5), strconv.Itoa(g.IntN(100)), pick(g, goodScores...))
	if g.IntN(4) == 0 {
		s = "(" + s
	}
	return s
}

func (g *generator) lexBound() string {
	if g.IntN(40) == 0 {
		return pick(g, badLex...)
	}
	return pick(g, "-", "+", "["+g.member(), "("+g.member(), "["+pick(g, "a", "b", "m1", "m2", "m25"))
}

// junk returns a word of any kind.
func (g *generator) junk() string {
	switch g.IntN(6) {
	case 0:
		return pick(g, keywords...)
	case 1:
		return pick(g, badScores...)
	case 2:
		return pick(g, badInts...)
	case 3:
		return pick(g, goodInts...)
	case 4:
		return g.key()
	}
	return g.member()
}

// maybe returns the words one time in oneIn, and nil otherwise.
func (g *generator) maybe(oneIn int, words ...string) []string {
	if g.IntN(oneIn) == 0 {
		return words
	}
	return nil
}

// shuffled concatenates groups of words in random order.
func (g *generator) shuffled(groups ...[]string) []string {
	g.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	var words []string
	for _, group := range groups {
		words = append(words, group...)
	}
	return words
}

func (g *generator) lexKey() string {
	return pick(g, lexKey, lexKey, lexKey, lexKey, lexKey, lexKey, lexKey, lexKey, textKey, noKey)
}

// feeds reports whether a command may create a sorted set, and so serve waiting clients.
func feeds(words []string) bool {
	name := strings.ToUpper(words[0])
	return strings.HasSuffix(name, "STORE") || slices.Contains([]string{"ZADD", "ZINCRBY", "RENAME", "RENAMENX", "COPY", "RESTORE"}, name)
}

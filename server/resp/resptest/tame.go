package resptest

import (
	"slices"
	"strconv"
	"strings"
)

// tame takes out of a command what would take for ever, depend on how fast the machine is, or on what Redis leaves to chance.
func (g *generator) tame(words []string) []string {
	switch name := strings.ToUpper(words[0]); {
	case name == "ZRANK", name == "ZREVRANK": // with another word, 7.0 refuses what later versions know
		return words[:min(len(words), 3)]
	case name == "ZRANDMEMBER" && number(words, 2) < -1000:
		words[2] = "-9223372036854775808"
	case name == "BZPOPMIN" && number(words, len(words)-1) > 0, name == "BZPOPMAX" && number(words, len(words)-1) > 0:
		words[len(words)-1] = "1000"
	case name == "BZMPOP" && number(words, 1) > 0:
		words[1] = "1000"
	case strings.Contains(name, "EXPIRE"):
		return g.tameExpiry(name, words)
	}
	for i := 1; i < len(words); i++ { // known to later versions
		if strings.EqualFold(words[i-1], "AGGREGATE") && strings.EqualFold(words[i], "COUNT") {
			words[i] = "MEAN"
		}
	}
	return g.tameLex(words)
}

// number is a word as a number; 0 if it is none, or not there.
func number(words []string, i int) int {
	if i < 0 || i >= len(words) {
		return 0
	}
	n, err := strconv.ParseFloat(words[i], 64)
	if err != nil {
		return 0
	}
	return int(max(min(n, 1e18), -1e18))
}

// tameExpiry makes times so long that none passes. Those after the year 9999 are all one for us, so that nothing is compared with them.
func (g *generator) tameExpiry(name string, words []string) []string {
	switch n := number(words, 2); {
	case n > 5e12:
		return words[:3]
	case name == "EXPIRE" && n > 0 && n < 1000:
		words[2] = strconv.Itoa(1000 + g.IntN(1e9))
	case name == "PEXPIRE" && n > 0 && n < 1e6:
		words[2] = strconv.Itoa(1e6 + g.IntN(1e12))
	}
	return words
}

// tameLex has commands that go by members go to keys of their own: see lexKey.
func (g *generator) tameLex(words []string) []string {
	name := strings.ToUpper(words[0])
	key := 1
	if name == "ZRANGESTORE" {
		key = 2
	}
	byMember := func(w string) bool { return strings.EqualFold(w, "BYLEX") }
	if len(words) > key && (strings.Contains(name, "LEX") || slices.ContainsFunc(words, byMember)) {
		words[key] = g.lexKey()
	}
	if name == "ZRANGESTORE" && len(words) > 1 && slices.Contains([]string{lexKey, textKey, noKey}, words[1]) {
		words[1] = "a"
	}
	return words
}

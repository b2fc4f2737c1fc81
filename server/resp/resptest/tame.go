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
	case name == "BZPOPMIN", name == "BZPOPMAX":
		g.tameWaiting(words, len(words)-1)
	case name == "BZMPOP" && len(words) > 1:
		g.tameWaiting(words, 1)
	case name == "WAIT" && len(words) == 3 && number(words, 1) > 0 && number(words, 2) >= 0:
		words[2] = "1" // milliseconds
	case name == "MULTI" && g.waits:
		return []string{"PING"}
	case strings.HasSuffix(name, "STORE") && g.waits && len(words) > 1:
		words[1] = pick(g, storedKeys...)
	case name == "SET":
		tameSet(words)
		g.tameStored(words, 1)
	case name == "SADD":
		g.tameStored(words, 1)
	case name == "RENAME", name == "RENAMENX", name == "COPY":
		g.tameStored(words, 2)
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
func number(words []string, i int) int64 {
	if i < 0 || i >= len(words) {
		return 0
	}
	n, err := strconv.ParseFloat(words[i], 64)
	if err != nil {
		return 0
	}
	return int64(max(min(n, 1e18), -1e18))
}

// tameWaiting makes a time to wait, which is one of the words, so short that the reply comes at once or so long that it does not pass.
// Where clients wait for long, two things are kept out of scripts, in which we differ from Redis and mean to: one transaction that feeds
// several keys serves a client by the order of the client's keys, in Redis by that in which they were written; and a result that is
// stored over a plain value feeds who waits there, in Redis only who comes later.
func (g *generator) tameWaiting(words []string, timeout int) {
	seconds, err := strconv.ParseFloat(words[timeout], 64)
	switch {
	case err != nil || seconds < 0 || seconds > 1e9:
	case !g.waits:
		words[timeout] = "0.001"
	case seconds > 0:
		words[timeout] = "1000"
	}
}

// storedKeys are where results are stored in scripts in which clients wait for long.
var storedKeys = []string{"stored", "too"}

// tameStored keeps plain values away from them.
func (g *generator) tameStored(words []string, key int) {
	if g.waits && key < len(words) && slices.Contains(storedKeys, words[key]) {
		words[key] = "none"
	}
}

// tameExpiry makes times so long that none passes. Those after the year 9999 are all one for us, so that nothing is compared with them.
func (g *generator) tameExpiry(name string, words []string) []string {
	switch n := number(words, 2); {
	case n > 5e12:
		return words[:3]
	case name == "EXPIRE" && n > 0 && n < 1000:
		words[2] = strconv.FormatInt(1000+g.Int64N(1e9), 10)
	case name == "PEXPIRE" && n > 0 && n < 1e6:
		words[2] = strconv.FormatInt(1e6+g.Int64N(1e12), 10)
	}
	return words
}

// tameSet has no SET with a time that is past: Redis counts the key until somebody looks at it.
func tameSet(words []string) {
	for i := 1; i < len(words); i++ {
		switch n := number(words, i); {
		case strings.EqualFold(words[i-1], "PXAT") && n > 0 && n < 4e12:
			words[i] = "4000000000000"
		case strings.EqualFold(words[i-1], "EXAT") && n > 0 && n < 4e9:
			words[i] = "4000000000"
		}
	}
}

// tameLex has commands that go by members go to keys of their own: see lexKey.
func (g *generator) tameLex(words []string) []string {
	name := strings.ToUpper(words[0])
	key := 1
	if name == "ZRANGESTORE" {
		key = 2
	}
	byMember := func(w string) bool { return strings.EqualFold(w, "BYLEX") }
	if len(words) > key && (strings.Contains(name, "LEX") || strings.Contains(name, "RANGE") && slices.ContainsFunc(words, byMember)) {
		words[key] = g.lexKey()
	}
	if name == "ZRANGESTORE" && len(words) > 1 && slices.Contains([]string{lexKey, textKey, noKey}, words[1]) {
		words[1] = "a"
	}
	return words
}

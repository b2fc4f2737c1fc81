package resptest

import (
	"slices"
	"strconv"
	"strings"
)

// tame changes a command that would block for ever, or whose reply depends on the speed of the machine or on Redis's random numbers.
func (g *generator) tame(words []string) []string {
	switch name := strings.ToUpper(words[0]); {
	case name == "ZRANK", name == "ZREVRANK": // WITHSCORE is of Redis 7.2, and 7.0 refuses it
		return words[:min(len(words), 3)]
	case name == "ZRANDMEMBER" && number(words, 2) < -1000:
		words[2] = "-9223372036854775808"
	case name == "BZPOPMIN", name == "BZPOPMAX":
		g.tameWaiting(words, len(words)-1)
	case name == "BZMPOP" && len(words) > 1:
		g.tameWaiting(words, 1)
	case name == "WAIT" && len(words) == 3 && number(words, 1) > 0 && number(words, 2) >= 0:
		words[2] = "1" // milliseconds
	case name == "MULTI" && g.waits: // feeding and transaction write their own MULTI
		return []string{"PING"}
	case strings.HasSuffix(name, "STORE") && g.waits && len(words) > 1:
		words[1] = pick(g, storedKeys...)
	case name == "SET":
		tameSet(words)
		g.tameStored(words, 1)
	case name == "SADD", name == "RESTORE":
		g.tameStored(words, 1)
	case name == "RENAME", name == "RENAMENX", name == "COPY":
		g.tameStored(words, 2)
	case strings.Contains(name, "EXPIRE"):
		return g.tameExpiry(name, words)
	}
	for i := 1; i < len(words); i++ { // COUNT is of a later version
		if strings.EqualFold(words[i-1], "AGGREGATE") && strings.EqualFold(words[i], "COUNT") {
			words[i] = "MEAN"
		}
	}
	return g.tameLex(words)
}

// number returns word i as a number, 0 if it is no number or missing.
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

// tameWaiting changes the timeout of a blocking pop, the word of that index. It becomes so short that the reply comes at once, or so long that
// it does not end during the script. Scripts with long waits leave out two cases in which the server differs from Redis on purpose. A
// transaction that feeds several keys serves a waiting client in the order of the client's keys, in Redis in the order of the writes. A result
// that is stored over a plain value serves waiting clients, in Redis only later ones.
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

// storedKeys are the destinations of results in scripts with long waits.
var storedKeys = []string{"stored", "too"}

// tameStored keeps plain values away from storedKeys: key is the index of the word that names the destination.
func (g *generator) tameStored(words []string, key int) {
	if g.waits && key < len(words) && slices.Contains(storedKeys, words[key]) {
		words[key] = "none"
	}
}

// tameExpiry makes times so long that no key expires during a script. Times after the year 9999 are all equal here, so they get no condition,
// which would compare them.
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

// tameSet changes a SET whose expiry is past: DBSIZE of Redis counts such a key until a command reads it.
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

// tameLex makes commands with ranges by member use keys of their own: see lexKey.
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

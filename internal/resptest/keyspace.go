package resptest

import "strconv"

// keyspace has the commands on keys, strings, plain sets, settings and connections.
var keyspace = []command{
	{"DEL", 4, func(g *generator) []string { return g.keys(1 + g.IntN(2)) }},
	{"UNLINK", 2, func(g *generator) []string { return g.keys(1 + g.IntN(2)) }},
	{"EXISTS", 3, func(g *generator) []string { return g.keys(1 + g.IntN(3)) }},
	{"TYPE", 3, oneKey},
	{"TOUCH", 1, func(g *generator) []string { return g.keys(1 + g.IntN(3)) }},
	{"EXPIRE", 4, func(g *generator) []string { return g.expire(1000+g.Int64N(1e9), 0) }},
	{"PEXPIRE", 3, func(g *generator) []string { return g.expire(1e6+g.Int64N(1e12), 0) }},
	{"EXPIREAT", 4, func(g *generator) []string { return g.expire(4e9+g.Int64N(5), 5) }},
	{"PEXPIREAT", 3, func(g *generator) []string { return g.expire(4e12+g.Int64N(5), 5) }},
	{"TTL", 4, oneKey},
	{"PTTL", 3, oneKey},
	{"EXPIRETIME", 3, oneKey},
	{"PEXPIRETIME", 3, oneKey},
	{"PERSIST", 3, oneKey},
	{"RENAME", 3, func(g *generator) []string { return g.keys(2) }},
	{"RENAMENX", 3, func(g *generator) []string { return g.keys(2) }},
	{"COPY", 4, func(g *generator) []string {
		return append(g.keys(2), g.shuffled(g.maybe(2, "REPLACE"), g.maybe(6, "DB", pick(g, "0", "1", "2", "16", "x", "-1", "99999999999")))...)
	}},
	{"DUMP", 4, oneKey},
	{"RESTORE", 4, (*generator).restore},
	{"KEYS", 2, func(g *generator) []string { return []string{pick(g, patterns...)} }},
	{"SCAN", 3, func(g *generator) []string {
		return append(g.walk(), g.maybe(3, "TYPE", pick(g, "zset", "set", "string", "ZSET", "nothing"))...)
	}},
	{"DBSIZE", 2, func(*generator) []string { return nil }},
	{"RANDOMKEY", 1, func(*generator) []string { return nil }},
	{"OBJECT ENCODING", 8, func(g *generator) []string { return []string{pick(g, "a", "b", "c", "d", "none", "{s}", "str")} }},
	{"OBJECT REFCOUNT", 2, func(g *generator) []string { return []string{pick(g, "a", "none", "{s}", "str", "str")} }},
	{"WAIT", 1, func(g *generator) []string {
		return []string{pick(g, "0", "1", "-1", g.integer()), g.oneOf([]string{"1"}, []string{"0", "-1", "x", "1.5"})}
	}},
	{"SADD", 5, func(g *generator) []string {
		return append([]string{pick(g, "{s}", "{s}", "{s}", g.key())}, keyAndMembers(g)[1:]...)
	}},
	{"SREM", 2, keyAndMembers},
	{"SCARD", 2, oneKey},
	{"SISMEMBER", 2, keyAndMember},
	{"SMEMBERS", 2, oneKey},
	{"SET", 3, func(g *generator) []string { return []string{pick(g, "str", "str", g.key()), g.member()} }},
	{"SET", 2, func(g *generator) []string {
		return append([]string{pick(g, "str", "str", g.key()), g.member()}, g.shuffled(g.maybe(4, "NX"), g.maybe(4, "XX"), g.maybe(3, "GET"), g.maybe(4, "KEEPTTL"),
			g.maybe(3, pick(g, "EX", "PX", "EXAT", "PXAT"), pick(g, "4000000000", "4000000000000", "0", "-1", "x")))...)
	}},
	{"GET", 2, oneKey},
	{"CONFIG SET", 3, (*generator).setting},
	{"CONFIG SET", 1, func(g *generator) []string { // a setting twice, or an unknown one
		names := []string{"no-such-thing", "set-max-listpack-entries", "set-max-intset-entries", "databases"}
		return g.shuffled(g.setting(), g.maybe(2, g.setting()...), g.maybe(2, pick(g, names...), pick(g, "2", "x")))
	}},
	{"CONFIG GET", 1, func(g *generator) []string {
		return []string{pick(g, "zset-max-listpack-entries", "zset-max-ziplist-value", "zset-max-listpack*", "ZSET-MAX-ZIPLIST-*", "no-such-thing")}
	}},
	{"PING", 1, func(g *generator) []string { return g.maybe(2, g.member()) }},
	{"ECHO", 1, func(g *generator) []string { return []string{g.member()} }},
	{"SELECT", 1, func(g *generator) []string { return []string{pick(g, "0", "0", "0", "1", "2", "15", "16", "-1", "x")} }},
	{"HELLO", 1, func(g *generator) []string { return g.maybe(2, pick(g, "2", "3", "3", "4", "x")) }},
	{"HELLO", 1, func(g *generator) []string {
		return append([]string{pick(g, "2", "3", "4")}, g.shuffled(g.maybe(3, "AUTH", pick(g, "default", "bob"), "pw"), g.maybe(3, "SETNAME", g.member()), g.maybe(4, "AUTH"))...)
	}},
	{"MULTI", 1, func(*generator) []string { return nil }},
	{"EXEC", 1, func(*generator) []string { return nil }},
	{"DISCARD", 1, func(*generator) []string { return nil }},
	{"WATCH", 1, func(g *generator) []string { return g.keys(1) }},
	{"RESET", 1, func(*generator) []string { return nil }},
	{"FLUSHALL", 1, func(g *generator) []string { return g.maybe(3, pick(g, "SYNC", "ASYNC", "x")) }},
	{"FLUSHDB", 1, func(g *generator) []string { return g.maybe(3, pick(g, "SYNC", "ASYNC", "x")) }},
	{"CLIENT SETNAME", 1, func(g *generator) []string { return []string{g.member()} }},
	{"CLIENT GETNAME", 1, func(g *generator) []string { return nil }},
	{"CLIENT UNBLOCK", 1, func(g *generator) []string {
		return append([]string{pick(g, "99999999", "x")}, append(g.maybe(2, pick(g, "ERROR", "timeout", "x")), g.maybe(4, "x")...)...)
	}},
	{"CLIENT NO-EVICT", 1, func(g *generator) []string { return []string{pick(g, "ON", "off", "x")} }},
	{"AUTH", 1, func(g *generator) []string {
		return pick(g, []string{"pw"}, []string{"default", "pw"}, []string{"bob", "pw"})
	}},
	{"FUNCTION FLUSH", 1, func(g *generator) []string { return g.maybe(3, pick(g, "SYNC", "ASYNC")) }},
	{"NOSUCHCOMMAND", 1, keyAndMembers},
}

// setting returns a name and a value for CONFIG SET.
func (g *generator) setting() []string {
	return []string{"zset-max-" + pick(g, "listpack", "ziplist") + "-" + pick(g, "entries", "value"), pick(g, thresholds...)}
}

// expire returns the arguments of EXPIRE or a relative: a key, a time, which is mostly when and rarely past or invalid, and sometimes a
// condition.
func (g *generator) expire(when, past int64) []string {
	words := []string{g.key(), strconv.FormatInt(when, 10)}
	switch g.IntN(25) {
	case 0:
		words[1] = pick(g, badInts...)
	case 1:
		words[1] = pick(g, "9223372036854775807", "-9223372036854775808", "9223372036854775", "9223372036854776")
	case 2:
		words[1] = strconv.FormatInt(past-g.Int64N(3), 10)
	}
	return append(words, g.shuffled(g.maybe(5, "NX"), g.maybe(5, "XX"), g.maybe(5, "GT"), g.maybe(5, "LT"))...)
}

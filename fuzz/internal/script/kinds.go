package script

import (
	"slices"
	"strings"
)

// kinds lists all kinds of operations.
var kinds = slices.Concat(setKinds, privateKinds, wholeKinds, callKinds, boardKinds, scriptKinds, betweenKinds)

// setKinds are for one sorted set.
var setKinds = []kind{
	{"add", "kmf", 0, "gives a member a score; its tie stays"},
	{"addt", "kmft", 0, "gives a member a score and a tie"},
	{"fill", "kmfgij", 0, "adds members m<i> to m<j-1>, the first with score f, each next one with g more"},
	{"incr", "kmf", 0, "adds f to a member's score"},
	{"addif", "kmfw", 0, "add under the condition w: nx, xx, gt, lt, several with + in between, or -"},
	{"incrif", "kmfw", 0, "incr under the condition w"},
	{"rem", "km", 0, "removes a member"},
	{"drain", "kmij", 0, "removes members m<i> to m<j-1>"},
	{"remrange", "kij", 0, "removes entries with ranks i to j-1"},
	{"remlex", "klh", 0, "removes the entries of a walk by member from l to h"},
	{"popmin", "ki", 0, "removes up to i entries with the lowest scores"},
	{"popmax", "ki", 0, "removes up to i entries with the highest scores"},
	{"len", "k", reads, "how many members there are"},
	{"score", "km", reads, "a member's score and tie"},
	{"rank", "km", reads, "a member's rank from both ends"},
	{"range", "kij", reads, "entries with ranks i to j-1"},
	{"revrange", "kij", reads, "the same, counted from the highest score"},
	{"count", "klh", reads, "the ranks of the scores between l and h"},
	{"lex", "klh", reads, "the ranks of a walk by member from l to h"},
	{"lexpage", "klhij", reads, "the part of lex that begins at offset i and has up to j-i-1 entries"},
	{"revlexpage", "klhij", reads, "the same from the other end, from h to l, in reverse ranks"},
	{"dump", "k", reads, "every entry with its tie"},
}

// privateKinds are for private keys.
var privateKinds = []kind{
	{"put", "km", Private, "private key k gets value m"},
	{"del", "k", Private, "removes private key k"},
	{"get", "k", Private | reads, "the value of private key k"},
	{"scan", "k", Private | reads, "private keys that begin with k"},
	{"keys", "", reads | Alone, "the sets that exist"},
}

// wholeKinds are for whole sets, as an engine has them.
var wholeKinds = []kind{
	{"drop", "k", Whole, "removes all members"},
	{"rename", "ko", Whole, "the set of k gets the key o, in place of the set of o"},
	{"copy", "ko", Whole, "a copy of the set of k replaces the set of o"},
	{"expire", "ki", Whole, "the set vanishes in i seconds"},
	{"persist", "k", Whole, "the set does not vanish any more"},
	{"expiry", "k", Whole | reads, "the second at which it vanishes"},
	{"stat", "k", Whole | reads, "kind, form, members, expiry"},
	{"expect", "kmf", Whole | reads, "a conflict unless the member has the score"},
	{"absent", "km", Whole | reads, "a conflict if the member is there"},
}

// callKinds are calls of an engine that are transactions of their own.
var callKinds = []kind{
	{"union", "dkofgw", Whole | Alone, "d gets the members of k, with weight f, and of o, with weight g; w: sum, min, max or count"},
	{"inter", "dkofgw", Whole | Alone, "d gets the members that both have"},
	{"diff", "dko", Whole | Alone, "d gets those of k that o has not"},
	{"rangestore", "dkij", Whole | Alone, "d gets those of k with ranks i to j-1"},
	{"clone", "ko", Whole | Alone, "copy, by a call of its own"},
	{"delete", "ko", Whole | Alone, "removes all members of both"},
	{"renamenx", "ko", Whole | Alone, "rename, if o has no set"},
	{"clear", "", Whole | Alone, "removes all sets"},
	{"common", "koi", Whole | Alone | reads, "how many members k and o have in common, up to i"},
}

// scriptKinds begin and end transactions.
var scriptKinds = []kind{
	{"begin", "", Alone, "a transaction begins; it goes up to commit, rollback, panic or the end of the script"},
	{"commit", "", Ends, "ends it"},
	{"rollback", "", Ends, "ends it; nothing has happened"},
	{"panic", "", Ends, "ends it by a panic; nothing has happened"},
}

// betweenKinds change the machine and not its contents.
var betweenKinds = []kind{
	{"snapshot", "", Between, "writes a snapshot"},
	{"flush", "", Between, "flushes what is committed"},
	{"reopen", "", Between, "close, and open again"},
	{"sleep", "i", Between, "i seconds pass: F7"},
	{"evict", "", Between, "every set leaves memory as soon as it may"},
	{"preload", "", Between, "every set comes back into memory"},
	{"listpack", "ij", Between, "sets move to a skiplist above i entries, or a member of j bytes"},
	{"check", "", Between, "what is stored is compared with what is in memory"},
	{"backup", "", Between, "the machine goes on from a backup"},
	{"restore", "", Between, "the machine goes on from what is restored of a backup"},
	{"salvage", "", Between, "the machine goes on from what is salvaged of its own directory"},
	{"compact", "", Between, "what was deleted is removed from the files"},
	{"kill", "", Between, "the process ends, and another opens what is in the files: F5"},
	{"cut", "i", Between, "the power fails: i percent of what was not flushed stays"},
	{"plant", "ij", Between, "the power will fail at the j-th write or flush of a file from now on, and i percent stay"},
}

var kindOf = func() map[string]kind {
	m := map[string]kind{}
	for _, k := range kinds {
		m[k.name] = k
	}
	return m
}()

// Operation describes a kind of operations for people.
type Operation struct {
	Name      string
	Arguments string // one letter each: k, o and d are keys of sets, m a member, f and g scores, t a tie; the comment of boardKinds explains the capitals
	About     string // what it does or replies; letters stand for the arguments
}

// Operations lists every kind of operation.
func Operations() (list []Operation) {
	for _, k := range kinds {
		list = append(list, Operation{k.name, strings.Join(strings.Split(k.args, ""), " "), k.about})
	}
	return list
}

package fuzz

import (
	"slices"
	"strings"
)

// trait says what holds for every operation of a kind.
type trait uint8

const (
	reads   trait = 1 << iota // changes nothing
	private                   // is about private keys, not about a set
	alone                     // never part of a transaction: F3
	whole                     // is about sets as an engine has them, not about the members of one
	between                   // is nothing that a caller asks of sets: F2, F5, F7; alone too
	ends                      // a transaction
	onBoard                   // is about a board
)

// kind is a kind of operations.
type kind struct {
	name   string
	args   string // each letter is an argument: see Op.field
	traits trait
	about  string // what it does, or answers, in words that name arguments by their letters
}

// kinds are all of them; each layer adds its own.
var kinds = slices.Concat(setKinds, privateKinds, wholeKinds, callKinds, boardKinds, scriptKinds, betweenKinds)

// setKinds are for one sorted set.
var setKinds = []kind{
	{"add", "kmf", 0, "gives a member a score; its tie stays"},
	{"addt", "kmft", 0, "gives a member a score and a tie"},
	{"fill", "kmfgij", 0, "adds members m<i> to m<j-1>, the first with score f, each next one with g more"},
	{"incr", "kmf", 0, "adds f to a member's score"},
	{"addif", "kmfw", 0, "add under the condition w: nx, xx, gt, lt, several with + in between, or -"},
	{"incrif", "kmfw", 0, "incr under the condition w"},
	{"rem", "km", 0, "takes out a member"},
	{"drain", "kmij", 0, "takes out members m<i> to m<j-1>"},
	{"remrange", "kij", 0, "takes out entries with ranks i to j-1"},
	{"remlex", "klh", 0, "takes out what a walk by member from l to h meets"},
	{"popmin", "ki", 0, "takes out up to i entries with the lowest scores"},
	{"popmax", "ki", 0, "takes out up to i entries with the highest scores"},
	{"len", "k", reads, "how many members there are"},
	{"score", "km", reads, "a member's score and tie"},
	{"rank", "km", reads, "a member's rank from both ends"},
	{"range", "kij", reads, "entries with ranks i to j-1"},
	{"revrange", "kij", reads, "the same, counted from the highest score"},
	{"count", "klh", reads, "the ranks of the scores between l and h"},
	{"lex", "klh", reads, "the ranks of a walk by member from l to h"},
	{"lexpage", "klhij", reads, "the ranks that an offset i and a count of j-i-1 leave of it"},
	{"revlexpage", "klhij", reads, "the same from the other end, from h to l, in reverse ranks"},
	{"dump", "k", reads, "every entry with its tie"},
}

// privateKinds are for private keys.
var privateKinds = []kind{
	{"put", "km", private, "private key k gets value m"},
	{"del", "k", private, "takes out private key k"},
	{"get", "k", private | reads, "the value of private key k"},
	{"scan", "k", private | reads, "private keys that begin with k"},
	{"keys", "", reads | alone, "the sets that exist"},
}

// wholeKinds are for sets as an engine has them.
var wholeKinds = []kind{
	{"drop", "k", whole, "takes out all members"},
	{"rename", "ko", whole, "the set of k gets the key o, in place of what that has"},
	{"copy", "ko", whole, "the set of o becomes one like that of k"},
	{"expire", "ki", whole, "the set vanishes in i seconds"},
	{"persist", "k", whole, "the set does not vanish any more"},
	{"expiry", "k", whole | reads, "the second at which it vanishes"},
	{"stat", "k", whole | reads, "kind, form, members, expiry"},
	{"expect", "kmf", whole | reads, "a conflict unless the member has the score"},
	{"absent", "km", whole | reads, "a conflict if the member is there"},
}

// callKinds are calls of an engine that are transactions of their own.
var callKinds = []kind{
	{"union", "dkofgw", whole | alone, "d gets the members of k, with weight f, and of o, with weight g; w: sum, min, max or count"},
	{"inter", "dkofgw", whole | alone, "d gets the members that both have"},
	{"diff", "dko", whole | alone, "d gets those of k that o has not"},
	{"rangestore", "dkij", whole | alone, "d gets those of k with ranks i to j-1"},
	{"clone", "ko", whole | alone, "copy, by a call of its own"},
	{"delete", "ko", whole | alone, "takes out all members of both"},
	{"renamenx", "ko", whole | alone, "rename, if o has no set"},
	{"clear", "", whole | alone, "takes out all sets"},
	{"common", "koi", whole | alone | reads, "how many members k and o have in common, up to i"},
}

// scriptKinds make transactions of other operations.
var scriptKinds = []kind{
	{"begin", "", alone, "a transaction begins; it goes up to commit, rollback, panic or the end of the script"},
	{"commit", "", ends, "ends it"},
	{"rollback", "", ends, "ends it; nothing has happened"},
	{"panic", "", ends, "ends it by a panic; nothing has happened"},
}

// betweenKinds do something to the machine.
var betweenKinds = []kind{
	{"snapshot", "", between, "writes a snapshot"},
	{"flush", "", between, "flushes what is committed"},
	{"reopen", "", between, "close, and open again"},
	{"sleep", "i", between, "i seconds pass: F7"},
	{"evict", "", between, "every set leaves memory as soon as it may"},
	{"preload", "", between, "every set comes back into memory"},
	{"listpack", "ij", between, "sets move to a skiplist above i entries, or a member of j bytes"},
	{"check", "", between, "what is stored is compared with what is in memory"},
	{"backup", "", between, "the machine goes on from a backup"},
	{"restore", "", between, "the machine goes on from what is restored of a backup"},
	{"salvage", "", between, "the machine goes on from what is salvaged of its own directory"},
	{"kill", "", between, "the process ends, and another opens what is in the files: F5"},
	{"cut", "i", between, "the power fails: i percent of what was not flushed stays"},
	{"plant", "ij", between, "the power will fail at the j-th write or flush of a file from now on, and i percent stay"},
}

var kindOf = func() map[string]kind {
	m := map[string]kind{}
	for _, k := range kinds {
		m[k.name] = k
	}
	return m
}()

// is reports whether the operation has one of the traits.
func (op Op) is(t trait) bool { return kindOf[op.Kind].traits&t != 0 }

// skipped is F3.
func (op Op) skipped() bool { return op.is(alone | between) }

// keys are the sets that the operation is about.
func (op Op) keys() (keys []string) {
	for _, a := range kindOf[op.Kind].args {
		if strings.ContainsRune("kod", a) && !op.is(private) {
			keys = append(keys, *op.field(a).(*string))
		}
	}
	return keys
}

// Operation is a kind of operations, as people read of it.
type Operation struct {
	Name      string
	Arguments string // a letter for each: k, o and d are keys of sets, m a member, f and g scores, t a tie; boardKinds has the capitals
	About     string // what it does, or answers, in words that name arguments by their letters
}

// Operations lists every kind of operation.
func Operations() (list []Operation) {
	for _, k := range kinds {
		list = append(list, Operation{k.name, strings.Join(strings.Split(k.args, ""), " "), k.about})
	}
	return list
}

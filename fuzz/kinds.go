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
}

// kinds are all of them; each layer adds its own.
var kinds = slices.Concat(setKinds, privateKinds, wholeKinds, callKinds, boardKinds, scriptKinds, betweenKinds)

// setKinds are for one sorted set.
var setKinds = []kind{
	{"add", "kmf", 0},          // a member's score; its tie stays
	{"addt", "kmft", 0},        // a member's score and tie
	{"fill", "kmfgij", 0},      // members m<i> to m<j-1>, the first with score f, each next one with g more
	{"incr", "kmf", 0},         // a member's score by f
	{"addif", "kmfw", 0},       // a member's score under the condition w
	{"incrif", "kmfw", 0},      //
	{"rem", "km", 0},           // a member
	{"drain", "kmij", 0},       // members m<i> to m<j-1>
	{"remrange", "kij", 0},     // entries with ranks i to j-1
	{"popmin", "ki", 0},        // up to i entries with the lowest scores
	{"popmax", "ki", 0},        // the highest
	{"len", "k", reads},        //
	{"score", "km", reads},     // and the tie
	{"rank", "km", reads},      // from both ends
	{"range", "kij", reads},    // entries with ranks i to j-1
	{"revrange", "kij", reads}, // the same counted from the highest score
	{"count", "klh", reads},    // the ranks of the scores between l and h
	{"lex", "klh", reads},      // the ranks of the members between l and h, if all scores and ties are equal
	{"dump", "k", reads},       // every entry with its tie
}

// privateKinds are for private keys.
var privateKinds = []kind{
	{"put", "km", private},         // key k gets value m
	{"del", "k", private},          //
	{"get", "k", private | reads},  //
	{"scan", "k", private | reads}, // those that begin with k
	{"keys", "", reads | alone},    // the sets that exist
}

// wholeKinds are for sets as an engine has them.
var wholeKinds = []kind{
	{"drop", "k", whole},             // all members
	{"rename", "ko", whole},          // the set of k gets the key o, in place of what that has
	{"copy", "ko", whole},            //
	{"expire", "ki", whole},          // the set vanishes in i seconds
	{"persist", "k", whole},          // it stays
	{"expiry", "k", whole | reads},   // the second at which it vanishes
	{"stat", "k", whole | reads},     // kind, form, members, expiry
	{"expect", "kmf", whole | reads}, // a conflict unless the member has the score
	{"absent", "km", whole | reads},  // a conflict if the member is there
}

// callKinds are calls of an engine that are transactions of their own.
var callKinds = []kind{
	{"union", "dkofgw", whole | alone}, // d gets the members of k, with weight f, and of o, with weight g; w: sum, min, max or count
	{"inter", "dkofgw", whole | alone},
	{"diff", "dko", whole | alone},           // those of k that o has not
	{"rangestore", "dkij", whole | alone},    // those of k with ranks i to j-1
	{"clone", "ko", whole | alone},           // copy, by a call of its own
	{"delete", "ko", whole | alone},          // both
	{"renamenx", "ko", whole | alone},        // rename, if o has no set
	{"clear", "", whole | alone},             // all sets
	{"common", "koi", whole | alone | reads}, // how many members k and o have in common, up to i
}

// scriptKinds make transactions of other operations.
var scriptKinds = []kind{
	{"begin", "", alone},
	{"commit", "", ends},
	{"rollback", "", ends},
	{"panic", "", ends}, // rolls back too
}

// betweenKinds do something to the machine.
var betweenKinds = []kind{
	{"snapshot", "", between},
	{"flush", "", between},
	{"reopen", "", between},     // close, and open again
	{"sleep", "i", between},     // i seconds pass: F7
	{"evict", "", between},      // every set leaves memory as soon as it may
	{"preload", "", between},    // all come back
	{"listpack", "ij", between}, // sets move to a skiplist above i entries, or a member of j bytes
	{"check", "", between},      // what is stored is compared with what is in memory
	{"backup", "", between},     // the machine goes on from a backup,
	{"restore", "", between},    // from what is restored of one,
	{"salvage", "", between},    // from what is salvaged of its own directory
	{"kill", "", between},       // the process ends, and another opens what is in the files: F5
	{"cut", "i", between},       // the power fails: i percent of what was not flushed stays
	{"plant", "ij", between},    // the power will fail at the j-th write or flush of a file from now on, and i percent stay
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

// argumentNames are what the letters of a kind's arguments stand for.
var argumentNames = map[rune]string{
	'k': "KEY", 'o': "OTHER", 'd': "DST", 'w': "HOW", 'm': "MEMBER", 'f': "SCORE", 'g': "STEP", 't': "TIE", 'i': "N", 'j': "TO", 'l': "LOW", 'h': "HIGH",
	'B': "BOARD", 'W': "WINDOW", 'P': "MEMBER", 'S': "SCORE", 'Z': "WORST", 'A': "SECONDS", 'O': "OPTION", 'X': "META", 'Y': "NAME", 'U': "N", 'V': "TO",
}

// Operations lists every kind of operation, with names for its arguments: "add KEY MEMBER SCORE".
func Operations() (list []string) {
	for _, k := range kinds {
		words := []string{k.name}
		for _, a := range k.args {
			words = append(words, argumentNames[a])
		}
		list = append(list, strings.Join(words, " "))
	}
	return list
}

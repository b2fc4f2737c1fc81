package zset_test

import (
	"slices"
	"strings"
)

// difference is a command whose reply may differ from the recorded one, anywhere in the recordings.
type difference struct {
	command string
	asGood  func(s *server, got, want reply) bool
	why     string
}

const (
	chance   = "entries are drawn by chance, and in no order that means anything"
	unsigned = "Redis keeps the sign of -0 in a skiplist; zset has one zero"
	foreign  = "not a command about sorted sets"
)

var differences = []difference{
	{"ZSCORE zs a", withoutSign, unsigned},
	{"ZRANGE zs 0 -1 WITHSCORES", withoutSign, unsigned},
	{"ZRANDMEMBER k 100", inAnyOrder(1), chance},
	{"ZRANDMEMBER k 100 WITHSCORES", inAnyOrder(2), chance},
	{"ZRANDMEMBER k 9223372036854775807", inAnyOrder(1), chance},
	{"ZRANDMEMBER f -2 WITHSCORES", drawnFrom("f"), chance},
	{"OBJECT ENCODING pairs", whatever, "Redis 7.2 counts the pairs of a command before it makes a key; zset, as Redis 7.0, counts members"},
	{"HELLO 3", whatever, "Redis introduces itself"},
	{"SETRANGE big 0 x", whatever, foreign},
	{"SORT big", whatever, foreign},
}

func whatever(*server, reply, reply) bool { return true }

func withoutSign(_ *server, got, want reply) bool {
	return string(got) == strings.ReplaceAll(string(want), `"-0"`, `"0"`)
}

// entriesOf splits an array of members, or of members and scores, into entries with the given number of words.
func entriesOf(r reply, words int) []string {
	all := strings.FieldsFunc(string(r), func(c rune) bool { return strings.ContainsRune("*[] ", c) })
	var list []string
	for entry := range slices.Chunk(all, words) {
		list = append(list, strings.Join(entry, " "))
	}
	return list
}

// inAnyOrder returns a comparison that accepts the recorded entries in any order. words is the number of words of an entry.
func inAnyOrder(words int) func(*server, reply, reply) bool {
	return func(_ *server, got, want reply) bool {
		a, b := entriesOf(got, words), entriesOf(want, words)
		slices.Sort(a)
		slices.Sort(b)
		return slices.Equal(a, b)
	}
}

// drawnFrom returns a comparison for random draws: the reply must have as many members with scores as the recorded one, all from the set
// at a key.
func drawnFrom(key string) func(*server, reply, reply) bool {
	return func(s *server, got, want reply) bool {
		list, held := entriesOf(got, 2), entriesOf(s.do([]string{"ZRANGE", key, "0", "-1", "WITHSCORES"}), 2)
		strange := func(entry string) bool { return !slices.Contains(held, entry) }
		return strings.Count(string(got), "[") == strings.Count(string(want), "[") &&
			len(list) == len(entriesOf(want, 2)) && !slices.ContainsFunc(list, strange)
	}
}

package resptest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A range by member walks a set in its order and compares members only. If the members have unequal scores, Redis's reply is deterministic for a
// listpack. In a skiplist Redis finds the beginning of the walk by random towers, so the reply is deterministic only if all members before
// that bound come before all members within it. So a group of steps makes a set of its own and sends only commands with deterministic replies.

const (
	walkedKey = "walked"
	storedKey = "walked/stored" // where ranges of it are stored
)

type entry struct {
	score  int
	member string
}

// someEntries returns up to n entries in the order of a sorted set. In half of the sets the members ascend with the scores.
func (g *generator) someEntries(n int) []entry {
	list := make([]entry, n)
	for i := range list {
		list[i] = entry{g.IntN(pick(g, 2, 10, 1000)), g.member()}
	}
	byMember := func(a, b entry) int { return strings.Compare(a.member, b.member) }
	slices.SortFunc(list, byMember)
	list = slices.CompactFunc(list, func(a, b entry) bool { return a.member == b.member })
	if g.IntN(2) == 0 {
		for i := range list {
			list[i].score = i / 2
		}
	}
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.score, b.score) })
	return list
}

// walking returns steps that make a set, as a listpack or a skiplist, and read ranges by member for which Redis's reply is deterministic.
func (g *generator) walking(conn int) []Step {
	n := 1 + g.IntN(12)
	if g.members > 0 && g.IntN(2) == 0 {
		n = 100 + g.IntN(200)
	}
	entries, threshold := g.someEntries(n), pick(g, "0", "128")
	load := []string{"ZADD", walkedKey}
	for _, e := range entries {
		load = append(load, strconv.Itoa(e.score), e.member)
	}
	lines := [][]string{
		{"CONFIG", "SET", "zset-max-listpack-entries", threshold}, {"CONFIG", "SET", "zset-max-listpack-value", "64"}, {"DEL", walkedKey}, load,
	}
	listpack := threshold == "128" && len(entries) <= 128 && !slices.ContainsFunc(entries, func(e entry) bool { return len(e.member) > 64 })
	for range 6 {
		low, high := g.walkBound(entries), g.walkBound(entries)
		up := listpack || certain(entries, func(m string) bool { return early(m, low) })
		down := listpack || certain(entries, func(m string) bool { return !late(m, high) })
		lines = append(lines, g.walks(low, high, up, down)...)
	}
	if low := g.walkBound(entries); listpack || certain(entries, func(m string) bool { return early(m, low) }) {
		lines = append(lines, []string{"ZREMRANGEBYLEX", walkedKey, low, g.walkBound(entries)}, []string{"ZRANGE", walkedKey, "0", "-1"})
	}
	var s []Step
	for _, words := range append(lines, []string{"CONFIG", "SET", "zset-max-listpack-entries", pick(g, thresholds...)}) {
		s = append(s, Step{conn, words})
	}
	return s
}

// walkBound returns a bound for a range by member, mostly at a member of the set.
func (g *generator) walkBound(entries []entry) string {
	if g.IntN(3) > 0 {
		return pick(g, "[", "(") + pick(g, entries...).member
	}
	return pick(g, "-", "+", "["+g.member(), "("+g.member())
}

// walks returns commands for a range by member: one that walks up, one that walks down, and one that counts. up and down say which walks have a
// deterministic reply.
func (g *generator) walks(low, high string, up, down bool) (lines [][]string) {
	if up {
		lines = append(lines, pick(g,
			append([]string{"ZRANGEBYLEX", walkedKey, low, high}, g.limit(2)...),
			append([]string{"ZRANGE", walkedKey, low, high, "BYLEX"}, g.limit(2)...),
			append([]string{"ZRANGESTORE", storedKey, walkedKey, low, high, "BYLEX"}, g.limit(2)...),
		))
	}
	if down {
		lines = append(lines, pick(g,
			append([]string{"ZREVRANGEBYLEX", walkedKey, high, low}, g.limit(2)...),
			append([]string{"ZRANGE", walkedKey, high, low, "BYLEX", "REV"}, g.limit(2)...),
			append([]string{"ZRANGESTORE", storedKey, walkedKey, high, low, "REV", "BYLEX"}, g.limit(2)...),
		))
	}
	if up && down {
		lines = append(lines, []string{"ZLEXCOUNT", walkedKey, low, high})
	}
	return append(lines, []string{"ZRANGE", storedKey, "0", "-1", "WITHSCORES"})
}

// certain reports whether a condition holds for a prefix of the entries and for no entry after it.
func certain(entries []entry, holds func(member string) bool) bool {
	end := slices.IndexFunc(entries, func(e entry) bool { return !holds(e.member) })
	return end < 0 || !slices.ContainsFunc(entries[end:], func(e entry) bool { return holds(e.member) })
}

// early reports whether a member is before a lower bound.
func early(member, bound string) bool {
	return bound == "+" || bound != "-" && (member < bound[1:] || bound[0] == '(' && member == bound[1:])
}

// late reports whether a member is after an upper bound.
func late(member, bound string) bool {
	return bound == "-" || bound != "+" && (member > bound[1:] || bound[0] == '(' && member == bound[1:])
}

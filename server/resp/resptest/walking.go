package resptest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A range by member is a walk along the order that compares members only. Over unequal scores Redis's answer is certain in a listpack. In
// a skiplist it finds the beginning of the walk by random towers, which is certain only if no member outside of the bound there stands
// behind one within it. So questions about such sets come in groups, each about a set that the group makes under keys of its own.

const (
	walkedKey = "walked"
	storedKey = "walked/stored" // where ranges of it are stored
)

type entry struct {
	score  int
	member string
}

// someEntries returns up to n entries in the order of a sorted set; their members ascend too for half of the sets.
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

// walking returns steps that make a set, a listpack or a skiplist, and ask for ranges by member of which Redis's answer is certain.
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

// walkBound is a bound that may well be a member of the set.
func (g *generator) walkBound(entries []entry) string {
	if g.IntN(3) > 0 {
		return pick(g, "[", "(") + pick(g, entries...).member
	}
	return pick(g, "-", "+", "["+g.member(), "("+g.member())
}

// walks returns a question for a walk up, for one down, and for their number: those of which the answer is certain.
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

// certain says whether a condition holds for the first members up to one, and for none from there on.
func certain(entries []entry, holds func(member string) bool) bool {
	end := slices.IndexFunc(entries, func(e entry) bool { return !holds(e.member) })
	return end < 0 || !slices.ContainsFunc(entries[end:], func(e entry) bool { return holds(e.member) })
}

// early says whether a member is before a lower bound.
func early(member, bound string) bool {
	return bound == "+" || bound != "-" && (member < bound[1:] || bound[0] == '(' && member == bound[1:])
}

// late says whether a member is beyond an upper bound.
func late(member, bound string) bool {
	return bound == "-" || bound != "+" && (member > bound[1:] || bound[0] == '(' && member == bound[1:])
}

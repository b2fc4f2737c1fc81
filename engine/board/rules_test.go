package board

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// byTies are the rankings by FirstToReach, LastToReach and ByMember.
type byTies [3]string

// anyTies is a ranking that does not depend on the tie rule.
func anyTies(ranking string) byTies { return byTies{ranking, ranking, ranking} }

// ruleRow is a list of submissions and the rankings that follow. A submission is written MEMBER SCORE @ SECOND, with a ! if
// it is refused.
type ruleRow struct {
	op        Op
	name      string
	subs      string
	desc, asc byTies
}

// bThenA is the ranking of two equals of whom b reached the score first.
func bThenA(score string) byTies {
	b, a := "b"+score, "a"+score
	return byTies{b + " " + a, a + " " + b, a + " " + b}
}

// aThenB is the same with a first.
func aThenB(score string) byTies {
	b, a := "b"+score, "a"+score
	return byTies{a + " " + b, b + " " + a, a + " " + b}
}

const big = "1.7976931348623157e+308" // the greatest float64

var ruleRows = []ruleRow{
	{Sum, "one each", "b1@1 a2@2", anyTies("a2 b1"), anyTies("b1 a2")},
	{Sum, "adds", "b1@1 a2@2 b2@3", anyTies("b3 a2"), anyTies("a2 b3")},
	{Sum, "equal", "b5@1 a5@2", bThenA("5"), bThenA("5")},
	{Sum, "equal at the same time: arrival", "b5@1 a5@1", bThenA("5"), bThenA("5")},
	{Sum, "adding 0", "b10@1 a10@2 b0@3", bThenA("10"), bThenA("10")},
	{Sum, "adding 0 late", "b10@4 a10@2 b0@1", aThenB("10"), aThenB("10")},
	{Sum, "adding too little to change it", "b1e16@1 a1e16@2 b1@3", bThenA("1e+16"), bThenA("1e+16")},
	{Sum, "late, and still first", "b5@5 a10@6 b5@2", bThenA("10"), bThenA("10")},
	{Sum, "late, and not made older", "b5@7 a10@6 b5@2", aThenB("10"), aThenB("10")},
	{Sum, "late, time of another: arrival", "b5@6 a10@6 b5@2", aThenB("10"), aThenB("10")},
	{Sum, "down and up again", "b10@1 a10@2 b-3@3 b3@4", aThenB("10"), aThenB("10")},
	{Sum, "to nothing and back", "b10@1 b-10@2 a0@3 b0@4", bThenA("0"), bThenA("0")},
	{Sum, "negative", "b-2@1 a-1@2 b-1@3 a-2@4", bThenA("-3"), bThenA("-3")},
	{Sum, "across 0", "b-2@1 a-1@2 b4@3", anyTies("b2 a-1"), anyTies("a-1 b2")},
	{Sum, "first entry of 0", "b0@1 a-1@2 c1@3", anyTies("c1 b0 a-1"), anyTies("a-1 b0 c1")},
	{Sum, "first entry of -0", "b-0@1 a0@2 b-0@3", bThenA("0"), bThenA("0")},
	{Sum, "2^53", "b9007199254740991@1 a9007199254740990@2 a1@3",
		bThenA("9.007199254740991e+15"), bThenA("9.007199254740991e+15")},
	{Sum, "overflow", "b" + big + "@1 a1@2 b" + big + "@3!", anyTies("b" + big + " a1"), anyTies("a1 b" + big)},
	{Sum, "overflow below", "b-" + big + "@1 b-1e308@2! a1@3", anyTies("a1 b-" + big), anyTies("b-" + big + " a1")},
	{Sum, "overflow changes no time", "b1e308@1 a1e308@2 b1e308@3!", bThenA("1e+308"), bThenA("1e+308")},
	{Sum, "not numbers", "bNaN@1! bInf@2! b-Inf@3! a1@4", anyTies("a1"), anyTies("a1")},

	{Best, "one each", "b1@1 a2@2", anyTies("a2 b1"), anyTies("b1 a2")},
	{Best, "keeps the better", "b5@1 b9@2 b1@3 a4@4", anyTies("b9 a4"), anyTies("b1 a4")},
	{Best, "equal", "b5@1 a5@2", bThenA("5"), bThenA("5")},
	{Best, "equal at the same time: arrival", "b5@1 a5@1", bThenA("5"), bThenA("5")},
	{Best, "equal again", "b5@1 a5@2 b5@3", bThenA("5"), bThenA("5")},
	{Best, "equal again at the same time", "b5@1 a5@1 b5@1", bThenA("5"), bThenA("5")},
	// b was there at 3, ahead of a. That helps by FirstToReach; by LastToReach b keeps the time it has.
	{Best, "equal again, late", "b5@5 a5@4 b5@3", byTies{"b5 a5", "b5 a5", "a5 b5"}, byTies{"b5 a5", "b5 a5", "a5 b5"}},
	{Best, "equal again, late for nothing", "b5@5 a5@3 b5@4", aThenB("5"), aThenB("5")},
	{Best, "better late", "b9@9 b5@7 b9@1 a9@4 b9@3 c7@8",
		byTies{"b9 a9 c7", "b9 a9 c7", "a9 b9 c7"}, anyTies("b5 c7 a9")},
	{Best, "down and up again", "b5@1 a5@2 b4@3 b5@4", bThenA("5"), anyTies("b4 a5")},
	{Best, "up and down again", "b5@1 a5@2 b6@3 b5@4", anyTies("b6 a5"), bThenA("5")},
	{Best, "negative", "b-2@1 a-1@2 b-3@3", anyTies("a-1 b-2"), anyTies("b-3 a-1")},
	{Best, "first entry of 0", "b0@1 a-1@2 c1@3", anyTies("c1 b0 a-1"), anyTies("a-1 b0 c1")},
	{Best, "0 and -0", "b0@1 a-0@2 b-0@3", bThenA("0"), bThenA("0")},
	{Best, "extremes", "b-" + big + "@1 a" + big + "@2 c5e-324@3",
		anyTies("a" + big + " c5e-324 b-" + big), anyTies("b-" + big + " c5e-324 a" + big)},
	{Best, "not numbers", "b1@1 bNaN@2! bInf@3! b-Inf@4!", anyTies("b1"), anyTies("b1")},

	{Last, "one each", "b1@1 a2@2", anyTies("a2 b1"), anyTies("b1 a2")},
	{Last, "replaces", "b9@1 b1@2 a4@3", anyTies("a4 b1"), anyTies("b1 a4")},
	{Last, "equal", "b5@1 a5@2", bThenA("5"), bThenA("5")},
	{Last, "equal at the same time: arrival", "b5@1 a5@1", bThenA("5"), bThenA("5")},
	{Last, "equal again", "b5@1 a5@2 b5@3", bThenA("5"), bThenA("5")},
	{Last, "equal again, late", "b5@5 a5@4 b5@3", aThenB("5"), aThenB("5")},
	{Last, "late replaces too", "b9@5 a5@6 b5@2", bThenA("5"), bThenA("5")},
	{Last, "down and up again", "b5@1 a5@2 b4@3 b5@4", aThenB("5"), aThenB("5")},
	{Last, "negative", "b2@1 a-1@2 b-2@3", anyTies("a-1 b-2"), anyTies("b-2 a-1")},
	{Last, "to 0", "b5@1 a1@2 b0@3", anyTies("a1 b0"), anyTies("b0 a1")},
	{Last, "0 and -0", "b0@1 a-0@2 b-0@3", bThenA("0"), bThenA("0")},
	{Last, "not numbers", "b1@1 bNaN@2! bInf@3! b-Inf@4!", anyTies("b1"), anyTies("b1")},
}

// parse reads one submission of a row.
func parse(t *testing.T, word string) (sub Submission, refused bool) {
	word, refused = strings.CutSuffix(word, "!")
	score, sec, ok := strings.Cut(word[1:], "@")
	require.True(t, ok, word)
	n, err := strconv.Atoi(sec)
	require.NoError(t, err)
	value, err := strconv.ParseFloat(score, 64)
	require.NoError(t, err)
	return Submission{Member: word[:1], Score: value, At: second(n)}, refused
}

// TestRules checks every row under every order and tie rule, by the pure functions alone and by a whole board.
func TestRules(t *testing.T) {
	for _, row := range ruleRows {
		for i, tie := range ties {
			for order, want := range map[Order]string{Desc: row.desc[i], Asc: row.asc[i]} {
				t.Run(fmt.Sprintf("op=%s/order=%s/ties=%s/%s", row.op, order, tie, row.name), func(t *testing.T) {
					spec := Spec{Name: "x", Op: row.op, Order: order, Ties: tie}
					assert.Equal(t, want, pureRanking(t, spec, row.subs), "rules")
					assert.Equal(t, want, boardRanking(t, spec, row.subs), "board")
				})
			}
		}
	}
}

// pureRanking folds the submissions with apply and sorts by what the set would sort by.
func pureRanking(t *testing.T, spec Spec, subs string) string {
	entries := map[string]entry{}
	for i, word := range strings.Fields(subs) {
		sub, refused := parse(t, word)
		if err := sub.validate(); err != nil {
			require.True(t, refused, word)
			continue
		}
		old, had := entries[sub.Member]
		next, changed, err := spec.apply(old, had, entry{sub.Score, sub.At.UnixMicro(), uint64(i)})
		if refused {
			require.ErrorIs(t, err, ErrScore)
			require.False(t, changed)
			continue
		}
		require.NoError(t, err)
		if changed {
			var tie [16]byte
			next = spec.read(spec.stored(next.score), spec.tie(&tie, next))
			entries[sub.Member] = next
		}
	}
	return text(t, sorted(spec, entries))
}

// sorted puts entries in the order of their stored scores, ties and members.
func sorted(spec Spec, entries map[string]entry) []Row {
	members := slices.SortedFunc(maps.Keys(entries), func(a, b string) int {
		x, y := entries[a], entries[b]
		return cmp.Or(cmp.Compare(spec.stored(x.score), spec.stored(y.score)), compareTies(spec, x, y), strings.Compare(a, b))
	})
	var rows []Row
	for i, member := range members {
		rows = append(rows, Row{i + 1, member, entries[member].score})
	}
	return rows
}

// boardRanking submits to a board.
func boardRanking(t *testing.T, spec Spec, subs string) string {
	b := mustOpen(t, newMemory(t), spec)
	for _, word := range strings.Fields(subs) {
		sub, refused := parse(t, word)
		before := top(t, all(t, b), 10)
		c, err := b.Submit(sub)
		if refused {
			require.ErrorIs(t, err, ErrScore, word)
			require.Zero(t, c)
			require.Equal(t, before, top(t, all(t, b), 10), word)
			continue
		}
		require.NoError(t, err, word)
	}
	return top(t, all(t, b), 10)
}

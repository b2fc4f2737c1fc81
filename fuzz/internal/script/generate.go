package script

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
)

// Generate makes a script of n operations from a seed, of the kinds that a layer has. The layer "" has all but those of boards.
func Generate(layer string, seed uint64, n int) []Op {
	return generate(&random{rand.New(rand.NewPCG(seed, 0)), n}, layer)
}

// Decode makes a script of at most n operations from any bytes, of the kinds that a layer has.
func Decode(layer string, data []byte, n int) []Op { return generate(&tape{data, n}, layer) }

// There are few keys and scores, so that operations meet, and enough members to cross every threshold.
var (
	SetKeys     = []string{"a", "b", "t", "t2", "", "\x00\xff", "n", "nt", level}
	conditions  = []string{"-", "nx", "xx", "gt", "lt", "xx+gt", "xx+lt", "nx+xx", "gt+lt"}
	aggregates  = []string{"sum", "min", "max", "count"}
	privateKeys = []string{"p1", "p2", "p3", "q", ""}
	scores      = []float64{0, math.Copysign(0, -1), 1, 1, 1, 2, 2.5, -1, -2.5, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64,
		-math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, 1<<53 + 2, 0.1}
	oddMembers = []string{"", "\x00", "m", "m\x00", "\xff", "é", "two words", strings.Repeat("x", 64), strings.Repeat("x", 65),
		strings.Repeat("long ", 20), "m" + strings.Repeat("0123456789", 25)}
)

// generate draws operations until the source ends: a kind from the mix, then its arguments. A script about boards first
// gives the board with the many specs one of these.
func generate(src source, layer string) []Op {
	var script []Op
	mix := mixOf(layer)
	for src.more() {
		if layer == boardLayer && script == nil {
			script = append(script, Op{Kind: "migrate", Key: boardspecs.Mixed, Lo: drawMixed(src)})
			continue
		}
		op := Op{Kind: mix[src.draw(len(mix))]}
		for _, a := range kindOf[op.Kind].args {
			op.choose(a, src)
		}
		op.follow(script, src)
		op.chooseMixedWindow(script, src)
		script = append(script, op)
	}
	return script
}

// level is the key of a set whose members mostly have the same score. Ranges by member are meant for such sets.
const level = "level"

// membersKinds are the operations on ranges by member.
var membersKinds = []string{"lex", "lexpage", "revlexpage", "remlex"}

// choose draws one argument.
func (op *Op) choose(arg rune, src source) {
	switch arg {
	case 'k', 'o', 'd':
		op.chooseKey(arg, src)
	case 'w':
		words := conditions
		if op.Is(Whole) {
			words = aggregates
		}
		op.How = words[src.draw(len(words))]
	case 'm':
		op.Member = member(src)
		if op.Kind == "fill" || op.Kind == "drain" {
			op.Member = "m"
		}
	case 'f':
		if op.Score = score(src); op.Key == level {
			op.Score = 0
		}
	case 'g':
		if op.Step = []float64{0, 0, 1, -1, 0.1}[src.draw(5)]; op.Key == level {
			op.Step = 0
		}
	case 't':
		op.Tie = []uint64{0, 1, 2, 255, 256, math.MaxUint64}[src.draw(6)]
	case 'i':
		op.chooseLo(src)
	case 'j':
		op.chooseHi(src)
	case 'l':
		op.Low = bound(op.Kind, src)
	case 'h':
		op.High = bound(op.Kind, src)
	default:
		op.chooseBoard(arg, src)
	}
}

// chooseKey draws a key.
func (op *Op) chooseKey(arg rune, src source) {
	keys := SetKeys
	if op.Is(Private) {
		keys = privateKeys
	}
	*op.field(arg).(*string) = keys[src.draw(len(keys))]
	if slices.Contains(membersKinds, op.Kind) && src.draw(2) == 0 {
		op.Key = level
	}
}

// chooseLo draws the argument i: mostly a rank or a number of a member.
func (op *Op) chooseLo(src source) {
	op.Lo = from(src)
	switch op.Kind {
	case "expire":
		op.Lo = src.draw(20) - 2
	case "sleep":
		op.Lo = sleeps[src.draw(len(sleeps))]
	}
}

// chooseHi draws the argument j: mostly the end of a range that begins with i.
func (op *Op) chooseHi(src source) {
	op.Hi = op.Lo + src.draw(136)
	switch op.Kind {
	case "plant", "listpack":
		op.Hi = 1 + src.draw(70)
	case "fill", "drain":
		if src.draw(16) == 0 { // enough to make a table of members split
			op.Hi = op.Lo + src.draw(1000)
		}
	}
}

// member draws a member: mostly one that fill makes, and half of the time one of twelve.
func member(src source) string {
	switch src.draw(8) {
	case 0:
		return oddMembers[src.draw(len(oddMembers))]
	case 1, 2, 3:
		return "m" + strconv.Itoa(src.draw(160))
	}
	return "m" + strconv.Itoa(src.draw(12))
}

// score draws a score: half of the time 0, 1 or 2.
func score(src source) float64 {
	if src.draw(2) == 0 {
		return float64(src.draw(3))
	}
	return scores[src.draw(len(scores))]
}

// from draws the beginning of a range: half of the time near 0.
func from(src source) int {
	if src.draw(2) == 0 {
		return src.draw(6) - 2
	}
	return src.draw(140)
}

// bound draws an end of an interval.
func bound(kind string, src source) string {
	open := src.draw(2) == 0
	switch {
	case kind == "count" && open:
		return "(" + Number(score(src))
	case kind == "count":
		return Number(score(src))
	case src.draw(4) == 0:
		return []string{"-", "+"}[src.draw(2)]
	case open:
		return "(" + member(src)
	}
	return "[" + member(src)
}

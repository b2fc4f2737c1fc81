package fuzz

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A source makes the choices that a script is made of.
type source interface {
	draw(n int) int // 0 to n-1
	more() bool     // another operation?
}

// random chooses by a seed, for a number of operations.
type random struct {
	rng  *rand.Rand
	left int
}

func (r *random) draw(n int) int { return r.rng.IntN(n) }

func (r *random) more() bool { r.left--; return r.left >= 0 }

// tape reads choices from bytes: a fuzzer that changes a byte changes a choice.
type tape struct {
	bytes []byte
	left  int
}

func (t *tape) draw(n int) int {
	if len(t.bytes) == 0 {
		return 0
	}
	b := t.bytes[0]
	t.bytes = t.bytes[1:]
	return int(b) % n
}

func (t *tape) more() bool { t.left--; return t.left >= 0 && len(t.bytes) > 0 }

// Generate makes a script of n operations from a seed.
func Generate(seed uint64, n int) []Op { return generate(&random{rand.New(rand.NewPCG(seed, 0)), n}) }

// Decode makes a script of at most n operations from any bytes.
func Decode(data []byte, n int) []Op { return generate(&tape{data, n}) }

// mix says how often each kind is drawn.
var mix = strings.Fields(strings.Repeat("add ", 9) + strings.Repeat("addt incr rem ", 4) + strings.Repeat("fill begin commit ", 2) +
	"drain popmin popmax len score rank rank range revrange count lex dump put put del get scan keys rollback panic snapshot flush reopen")

// keys and scores are few, so that operations meet; members are many enough to cross every threshold.
var (
	setKeys     = []string{"a", "b", "t", "t2", "", "\x00\xff"}
	privateKeys = []string{"p1", "p2", "p3", "q", ""}
	scores      = []float64{0, math.Copysign(0, -1), 1, 1, 1, 2, 2.5, -1, -2.5, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64,
		-math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, 1<<53 + 2, 0.1}
	oddMembers = []string{"", "\x00", "m", "m\x00", "\xff", "é", "two words", strings.Repeat("x", 64), strings.Repeat("x", 65)}
)

func generate(src source) []Op {
	var script []Op
	for src.more() {
		op := Op{Kind: mix[src.draw(len(mix))]}
		args, _ := argsOf(op.Kind)
		for _, a := range args {
			op.choose(a, src)
		}
		script = append(script, op)
	}
	return script
}

// choose draws one argument.
func (op *Op) choose(arg rune, src source) {
	switch arg {
	case 'k':
		op.Key = setKeys[src.draw(len(setKeys))]
		if slices.Contains(private, op.Kind) {
			op.Key = privateKeys[src.draw(len(privateKeys))]
		}
	case 'm':
		op.Member = member(src)
		if op.Kind == "fill" || op.Kind == "drain" {
			op.Member = "m"
		}
	case 'f':
		op.Score = scores[src.draw(len(scores))]
	case 'g':
		op.Step = []float64{0, 0, 1, -1, 0.1}[src.draw(5)]
	case 't':
		op.Tie = []uint64{0, 1, 2, 255, 256, math.MaxUint64}[src.draw(6)]
	case 'i':
		op.Lo = src.draw(140) - 4
	case 'j':
		op.Hi = op.Lo + src.draw(136)
	case 'l':
		op.Low = bound(op.Kind, src)
	case 'h':
		op.High = bound(op.Kind, src)
	}
}

// member draws a member: mostly one of those that fill makes.
func member(src source) string {
	if src.draw(6) == 0 {
		return oddMembers[src.draw(len(oddMembers))]
	}
	return "m" + strconv.Itoa(src.draw(160))
}

// bound draws an end of an interval.
func bound(kind string, src source) string {
	open := src.draw(2) == 0
	switch {
	case kind == "count" && open:
		return "(" + number(scores[src.draw(len(scores))])
	case kind == "count":
		return number(scores[src.draw(len(scores))])
	case src.draw(4) == 0:
		return []string{"-", "+"}[src.draw(2)]
	case open:
		return "(" + member(src)
	}
	return "[" + member(src)
}

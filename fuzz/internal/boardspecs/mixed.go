package boardspecs

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// Dimension is a part of the specs of Mixed, and what it may be.
type Dimension struct {
	Name   string
	Values []Value
}

// Value is one of the values of a dimension. It sets its part of a spec.
type Value struct {
	Name string
	set  func(spec *board.Spec, rng *rand.Rand) // rng draws sizes
}

// followedMeta is the MaxMeta of the specs of Mixed that boards of groups follow.
const followedMeta = 16

// Dimensions are all of them. Every spec begins with two windows, an hour with a grace and All.
var Dimensions = []Dimension{
	{"place", []Value{
		{"one set", leave},
		{"parts", func(s *board.Spec, rng *rand.Rand) { s.Parts = 2 + rng.IntN(3) }},
		{"part members", func(s *board.Spec, rng *rand.Rand) { s.PartMembers = 1 + rng.IntN(3) }},
		{"rolling", func(s *board.Spec, _ *rand.Rand) { s.Windows = append(s.Windows, board.Rolling("", time.Hour)) }},
		{"top", func(s *board.Spec, rng *rand.Rand) { s.Top = top(rng) }},
		{"segments", func(s *board.Spec, rng *rand.Rand) { s.Top = top(rng); s.Top.Segments = 1 + rng.IntN(3) }},
	}},
	{"operator", []Value{
		operator(board.Best), operator(board.Last), operator(board.First), operator(board.Sum), operator(board.Max),
		operator(board.Min), keeping(board.BestOf), keeping(board.LastOf), keeping(board.DropWorst),
	}},
	{"ties", []Value{ties(board.FirstToReach), ties(board.LastToReach), ties(board.ByMember)}},
	{"best ranks", []Value{{"no", leave}, {"yes", func(s *board.Spec, _ *rand.Rand) { s.BestRanks = true }}}},
	{"journal", []Value{{"no", leave}, {"yes", func(s *board.Spec, _ *rand.Rand) { s.Journal = 9 }}}},
	{"feed", []Value{{"no", leave}, {"yes", func(s *board.Spec, _ *rand.Rand) { s.Feed = &board.Feed{Top: 2} }}}},
	{"leagues", []Value{
		{"no", leave},
		{"grace", func(s *board.Spec, rng *rand.Rand) { s.Leagues = leagues(rng.IntN(2), rng.IntN(2)) }},
		{"no grace", func(s *board.Spec, rng *rand.Rand) {
			s.Windows = append(s.Windows, board.Window{Name: "prompt", Kind: window.Hour, Keep: 2})
			s.Leagues = leagues(rng.IntN(2), rng.IntN(2))
			s.Leagues.Window = "prompt"
		}},
	}},
	{"groups", []Value{{"no", leave}, {"follow", func(s *board.Spec, _ *rand.Rand) { s.MaxMeta = followedMeta }}}},
}

func leave(*board.Spec, *rand.Rand) {}

func operator(op board.Op) Value {
	return Value{string(op), func(s *board.Spec, _ *rand.Rand) { s.Op = op }}
}

func keeping(op board.Op) Value {
	return Value{string(op), func(s *board.Spec, rng *rand.Rand) { s.Op, s.K = op, 1+rng.IntN(2) }}
}

func ties(t board.Ties) Value {
	return Value{string(t), func(s *board.Spec, _ *rand.Rand) { s.Ties = t }}
}

func top(rng *rand.Rand) *board.Top {
	return &board.Top{N: LeastTop + rng.IntN(2), Reserve: 1 + rng.IntN(2)}
}

// Combination is the number of a value for each of the Dimensions.
type Combination [8]uint8

// String names the values that are not the first one of their dimension, and those of place, operator and ties.
func (c Combination) String() string {
	var words []string
	for d, v := range c {
		switch name := Dimensions[d].Values[v].Name; {
		case d < 3 || name == "follow":
			words = append(words, name)
		case name == "yes":
			words = append(words, Dimensions[d].Name)
		case v > 0:
			words = append(words, Dimensions[d].Name+" with "+name)
		}
	}
	return strings.Join(words, ", ")
}

// mixed returns a spec of a combination. A seed draws its sizes.
func mixed(c Combination, seed uint64) board.Spec {
	spec := board.Spec{Name: Mixed, MaxMeta: 8, Windows: []board.Window{hours(30*time.Minute, 2), board.All}}
	rng := rand.New(rand.NewPCG(seed, 49))
	for d, v := range c {
		Dimensions[d].Values[v].set(&spec, rng)
	}
	for i := range spec.Windows { // a rolling window keeps its results, and so its rules: with other ones it is another window
		if w := &spec.Windows[i]; w.Kind == window.Rolling {
			w.Name = fmt.Sprintf("1h-%s-%s-%v", spec.Op, spec.Ties, spec.Journal > 0)
		}
	}
	return spec
}

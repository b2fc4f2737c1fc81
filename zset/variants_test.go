package zset

import (
	"math"

	"github.com/zrankdb/zrank/skiplist"
)

// variant is a combination of options; every test body runs with many variants.
type variant struct {
	name    string
	options Options // TieWidth is filled in, and bounds ScoreTie
	shape   skiplist.Options
}

// always returns a generator of towers that are all equally high.
func always(height int) func() int { return func() int { return height } }

// plain are variants without a Cap: each encoding alone, a change of encoding at critical sizes, small leaves, so that runs of equal
// scores cross leaves, and the lowest and highest towers.
var plain = []variant{
	{"listpack", Options{MaxListpackEntries: 1 << 15}, skiplist.Options{}},
	{"skiplist", Options{MaxListpackEntries: -1}, skiplist.Options{}},
	{"default", Options{}, skiplist.Options{}},
	{"move=1", Options{MaxListpackEntries: 1}, skiplist.Options{LeafSize: 2}},
	{"move=20", Options{MaxListpackEntries: 20}, skiplist.Options{LeafSize: 3}},
	{"leaf=2/towers=1", Options{MaxListpackEntries: -1}, skiplist.Options{LeafSize: 2, Height: always(1)}},
	{"leaf=3/towers=16", Options{MaxListpackEntries: -1}, skiplist.Options{LeafSize: 3, Height: always(16)}},
	{"leaf=4/towers=1", Options{MaxListpackEntries: -1}, skiplist.Options{LeafSize: 4, Height: always(1)}},
	{"leaf=64/towers=16", Options{MaxListpackEntries: -1}, skiplist.Options{LeafSize: 64, Height: always(16)}},
	{"dense", Options{MaxListpackEntries: -1, DenseRanks: true}, skiplist.Options{LeafSize: 4}},
	{"dense/move=9", Options{MaxListpackEntries: 9, DenseRanks: true}, skiplist.Options{LeafSize: 2}},
	{"columns=8", Options{MaxListpackEntries: 60, ScoreTie: 8}, skiplist.Options{LeafSize: 3}},
	{"columns=8/dense", Options{MaxListpackEntries: 20, ScoreTie: 8, DenseRanks: true}, skiplist.Options{LeafSize: 3}},
	{"columns=40/dense", Options{MaxListpackEntries: -1, ScoreTie: 40, DenseRanks: true}, skiplist.Options{LeafSize: 2, Height: always(1)}},
}

// capped are variants with a Cap at either end, with and without a reserve.
var capped = []variant{
	{"cap=1", Options{Cap: 1}, skiplist.Options{}},
	{"cap=7/lowest", Options{Cap: 7, CapLowest: true}, skiplist.Options{}},
	{"cap=10+5", Options{Cap: 10, Reserve: 5, MaxListpackEntries: -1}, skiplist.Options{LeafSize: 2}},
	{"cap=30+9/lowest/dense", Options{Cap: 30, Reserve: 9, CapLowest: true, MaxListpackEntries: 20, ScoreTie: 16, DenseRanks: true},
		skiplist.Options{LeafSize: 3}},
}

// allVariants are the variants of both kinds.
func allVariants() []variant { return append(append([]variant(nil), plain...), capped...) }

// freshOf returns an empty set of a variant.
func freshOf[S Score](v variant, tieWidth int) *SetOf[S] {
	o := v.options
	o.TieWidth, o.ScoreTie = tieWidth, min(o.ScoreTie, tieWidth)
	return makeSet[S](o, v.shape)
}

// fresh is freshOf for Redis's scores.
func (v variant) fresh(tieWidth int) *Set { return freshOf[float64](v, tieWidth) }

// pool returns a few scores, among them extreme ones. They are few so that equal scores are frequent.
func pool[S Score]() []S {
	var scores any = []float64{0, math.Copysign(0, -1), 1, 2, 2.5, -1, -2.5, math.Inf(1), math.Inf(-1), math.MaxFloat64,
		-math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, 1<<53 + 2}
	if isInt[S]() {
		scores = []int64{0, 1, 2, 3, -1, -2, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 1 << 53, 1<<53 + 1,
			1 << 62, -1 << 62}
	}
	return scores.([]S)
}

package oracle

import (
	"math"

	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/internal/model"
)

// combine stores the union or the intersection in result. The smaller set comes first: the order matters for an infinity with weight 0.
func combine(result *model.Set, op script.Op, a, b *model.Set) {
	weightA, weightB := op.Score, op.Step
	if b.Len() < a.Len() {
		a, b, weightA, weightB = b, a, weightB, weightA
	}
	inter := op.Kind != "union"
	for _, e := range a.All() {
		score := weighted(op.How, weightA, e.Score)
		other, both := b.Get(e.Member)
		if math.IsNaN(score) {
			score = 0
		}
		if inter && !both {
			continue
		}
		if both {
			score = join(op.How, inter, score, weighted(op.How, weightB, other.Score))
		}
		result.Put(model.Entry{Score: score + 0, Member: e.Member})
	}
	for _, e := range b.All() {
		if _, both := a.Get(e.Member); inter || both {
			continue
		}
		score := weighted(op.How, weightB, e.Score)
		if math.IsNaN(score) {
			score = 0
		}
		result.Put(model.Entry{Score: score + 0, Member: e.Member})
	}
}

// weighted returns a score times its weight: NaN for an infinity times 0.
func weighted(how string, weight, score float64) float64 {
	if how == "count" {
		return weight
	}
	return weight * score
}

// join aggregates two scores.
func join(how string, inter bool, a, b float64) float64 {
	if math.IsNaN(b) && !inter {
		b = 0
	}
	switch {
	case how == "min" && !(b < a), how == "max" && !(b > a):
		return a
	case how == "min", how == "max":
		return b
	case math.IsNaN(a + b):
		return 0
	}
	return a + b
}

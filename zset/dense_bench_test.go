package zset

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// duel is two sets of the same members, without and with dense ranks. Both make the same changes in turn.
type duel struct {
	sets   [2]*Set
	names  [][]byte
	score  func(rng *rand.Rand) float64
	rng    *rand.Rand
	took   [2][]float64 // ns an operation, of each round
	picked [][]byte
	scores []float64
}

func newDuel(n int, score func(rng *rand.Rand) float64) *duel {
	d := &duel{rng: rand.New(rand.NewPCG(3, 4)), score: score, names: make([][]byte, n)}
	for i := range d.names {
		d.names[i] = fmt.Appendf(nil, "member:%013d", i)
	}
	for i := range d.sets {
		d.sets[i], _ = New(Options{DenseRanks: i == 1})
	}
	for _, i := range d.rng.Perm(n) {
		s := score(d.rng)
		d.sets[0].Add(d.names[i], s)
		d.sets[1].Add(d.names[i], s)
	}
	return d
}

// round gives 256 random members new scores in both sets, and records the time for each set. The sets alternate in going first. With
// insert, it removes the members first, without measuring that.
func (d *duel) round(insert bool) {
	d.picked, d.scores = d.picked[:0], d.scores[:0]
	for range 256 {
		d.picked, d.scores = append(d.picked, d.names[d.rng.IntN(len(d.names))]), append(d.scores, d.score(d.rng))
	}
	first := len(d.took[0]) % 2
	for _, i := range []int{first, 1 - first} {
		if insert {
			for _, m := range d.picked {
				d.sets[i].Remove(m)
			}
		}
		start := time.Now()
		for j, m := range d.picked {
			d.sets[i].Add(m, d.scores[j])
		}
		d.took[i] = append(d.took[i], float64(time.Since(start))/float64(len(d.picked)))
	}
}

// report reports the medians of all rounds.
func (d *duel) report(b *testing.B) {
	ratios := make([]float64, len(d.took[0]))
	for i := range ratios {
		ratios[i] = d.took[1][i] / d.took[0][i]
	}
	for name, all := range map[string][]float64{"plain-ns": d.took[0], "dense-ns": d.took[1], "ratio": ratios} {
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], name)
	}
	n := float64(len(d.names))
	b.ReportMetric(float64(d.sets[0].Size())/n, "plain-B/entry")
	b.ReportMetric(float64(d.sets[1].Size())/n, "dense-B/entry")
}

// BenchmarkDense measures the cost of DenseRanks. It uses two sets in turn, so that other load on the machine affects both.
func BenchmarkDense(b *testing.B) {
	const n = 1_000_000
	for _, kind := range []struct {
		name     string
		distinct int
	}{{"random", 1e9}, {"pairs", n}, {"equal", 1000}} {
		d := newDuel(n, func(rng *rand.Rand) float64 { return float64(rng.IntN(kind.distinct)) })
		for _, op := range []string{"update", "insert"} {
			b.Run(fmt.Sprintf("op=%s/scores=%s/len=%d", op, kind.name, n), func(b *testing.B) {
				d.took = [2][]float64{}
				for b.Loop() {
					d.round(op == "insert")
				}
				d.report(b)
			})
		}
		b.Run(fmt.Sprintf("op=distinct/scores=%s/len=%d", kind.name, n), func(b *testing.B) {
			for b.Loop() {
				d.sets[1].Distinct(d.rng.IntN(n))
			}
		})
	}
}

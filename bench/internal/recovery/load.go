package recovery

import (
	"fmt"
	"math/rand/v2"

	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

const (
	arena = "arena"
	// buildSize is how many updates a large commit has.
	buildSize = 10_000
	// scoreSpan is where scores come from: whole numbers in [0, 2^40).
	scoreSpan = 1 << 40
	// zipfExponent is the skew of a zipf load: the hottest of 1 M members takes about 12 % of it.
	zipfExponent = 1.1
	// spread is a prime that puts neighbours far apart.
	spread = 2_654_435_761
)

var arenaKey = []string{arena}

// load draws updates.
type load struct {
	n    int
	rand *rand.Rand
	pick func(int) int
}

func newLoad(n int, seed uint64) *load {
	l := &load{n: n, rand: rand.New(rand.NewPCG(seed, 0x7265636f76))}
	l.pick = func(int) int { return l.rand.IntN(n) }
	return l
}

// zipf makes a few members hot.
func (l *load) zipf() *load {
	z := rand.NewZipf(l.rand, zipfExponent, 1, uint64(l.n-1))
	l.pick = func(int) int { return int(z.Uint64() * spread % uint64(l.n)) }
	return l
}

// draw returns the next updates.
func (l *load) draw(count int) workload.Stream {
	return workload.NewStream(count, l.pick, func() float64 { return float64(l.rand.Int64N(scoreSpan)) })
}

// drawAll returns the members from the lo-th to the hi-th, each once, in an order in which neighbours are far apart.
func (l *load) drawAll(lo, hi int) workload.Stream {
	return workload.NewStream(hi-lo, func(i int) int { return int(uint64(lo+i) * spread % uint64(l.n)) },
		func() float64 { return float64(l.rand.Int64N(scoreSpan)) })
}

// apply makes one commit of the updates [lo, hi) to a set.
func apply(e *engine.Engine, key []string, s *workload.Stream, lo, hi int) error {
	return e.Update(key, func(tx *engine.Tx) error {
		set, err := tx.Set(key[0])
		for i := lo; i < hi && err == nil; i++ {
			_, err = set.Add(s.Key(i).Raw, s.Score(i))
		}
		return err
	})
}

// change makes so many updates of the arena, in commits of a size.
func (l *load) change(e *engine.Engine, count, size int) error {
	for ; count > 0; count -= buildSize {
		s := l.draw(min(count, buildSize))
		for lo := 0; lo < s.Len(); lo += size {
			if err := apply(e, arenaKey, &s, lo, min(lo+size, s.Len())); err != nil {
				return fmt.Errorf("update: %w", err)
			}
		}
	}
	return nil
}

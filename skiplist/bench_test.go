package skiplist

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkList measures the index alone: the records are an array of keys. "move" gives a random entry a random key, "nudge" a slightly
// higher key.
func BenchmarkList(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		r := make(bare, n)
		l := filled(r)
		rng := rand.New(rand.NewPCG(2, uint64(n)))
		move := func(key func(ref uint32) uint64) {
			ref := rng.Uint32N(uint32(n))
			to := key(ref)
			l.Update(r[ref], to, ref, nil, func() { r[ref] = to })
		}
		for _, op := range []struct {
			name string
			do   func()
		}{
			{"move", func() { move(func(uint32) uint64 { return rng.Uint64() }) }},
			{"nudge", func() { move(func(ref uint32) uint64 { return r[ref] + rng.Uint64N(1<<62/uint64(n)) }) }},
			{"rank", func() { ref := rng.Uint32N(uint32(n)); l.Rank(r[ref], ref) }},
			{"seek", func() { l.Seek(rng.Uint64(), nil) }},
			{"at", func() { l.At(rng.IntN(n)) }},
		} {
			b.Run(fmt.Sprintf("op=%s/len=%d", op.name, n), func(b *testing.B) {
				for b.Loop() {
					op.do()
				}
			})
		}
	}
}

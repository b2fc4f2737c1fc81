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

// BenchmarkSeekAll measures four searches for the same key, in a list each of 75,000 entries: together and one after the other.
func BenchmarkSeekAll(b *testing.B) {
	const n = 75_000
	var all [4]Sought
	for i := range all {
		all[i].List = filled(make(bare, n))
	}
	rng := rand.New(rand.NewPCG(2, n))
	for name, seek := range map[string]func(key uint64){
		"together": func(key uint64) {
			for i := range all {
				all[i].Key = key
			}
			SeekAll(all[:])
		},
		"one by one": func(key uint64) {
			for i := range all {
				all[i].Rank = all[i].List.Seek(key, nil)
			}
		},
	} {
		b.Run("how="+name, func(b *testing.B) {
			for b.Loop() {
				seek(rng.Uint64())
			}
		})
	}
}

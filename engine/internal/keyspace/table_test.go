package keyspace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTable compares a table with a map while sets come and go: with hashes that are spread, that collide, and that wrap around the end.
func TestTable(t *testing.T) {
	for name, hash := range map[string]func(n uint64) uint64{
		"spread":  func(n uint64) uint64 { return n * 0x9e3779b97f4a7c15 },
		"equal":   func(uint64) uint64 { return 1 << 30 },
		"last":    func(n uint64) uint64 { return 1<<64>>shardBits - 1 - n%3<<24 },
		"nothing": func(uint64) uint64 { return 0 },
	} {
		t.Run(name, func(t *testing.T) {
			seed := rand.Uint64()
			t.Log("seed", seed)
			r := rand.New(rand.NewPCG(seed, 1))
			var table Table
			want := map[string]*Set{}
			size := 200
			if name == "spread" {
				size = 2000
			}
			for step := range 8 * size {
				n := r.Uint64N(uint64(size))
				key := fmt.Sprint(n)
				if grows := step/(2*size)%2 == 0; r.IntN(4) == 0 != grows {
					s := &Set{Key: key}
					table.put(hash(n), s)
					want[key] = s
				} else if s := want[key]; s != nil {
					table.drop(hash(n), s)
					delete(want, key)
				} else {
					table.drop(hash(n), &Set{Key: key})
				}
				require.Same(t, want[key], table.get(hash(n), key))
				require.Equal(t, len(want), table.Len())
			}
			for n := range uint64(size) {
				require.Same(t, want[fmt.Sprint(n)], table.get(hash(n), fmt.Sprint(n)))
			}
			require.Len(t, slices.Collect(table.All()), len(want))
			require.Less(t, len(table.sets), 4*len(want)+2*minSlots, "it shrinks")
		})
	}
}

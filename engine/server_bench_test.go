package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/zset"
)

// serverMembers is the number of members of the set that a server's commands work on.
const serverMembers = 1_000_000

// servedSet returns an engine in memory with such a set, whose members are 20 random letters.
func servedSet(b *testing.B) (e *Engine, members [][]byte) {
	e = benchEngine(b, "memory")
	rng := rand.New(rand.NewPCG(1, 2))
	z, err := zset.NewBuilder(zset.Options{})
	require.NoError(b, err)
	text := make([]byte, 20*serverMembers)
	for i := range text {
		text[i] = byte('a' + rng.IntN(26))
	}
	for i := range serverMembers {
		members = append(members, text[20*i:20*i+20])
		require.NoError(b, z.Add(members[i], rng.Float64()))
	}
	mustUpdate(b, e, []string{"arena"}, func(tx *Tx) {
		h, err := anyHandle(tx, "arena")
		require.NoError(b, err)
		h.put(zset.As[int64](z.Set()), 0, facts.Digest{})
	})
	return e, members
}

// BenchmarkServer does what a server does for a pipeline of n commands: ZADDs of existing members in one transaction that does not wait for the disk,
// or ZSCOREs in one View.
func BenchmarkServer(b *testing.B) {
	e, members := servedSet(b)
	keys := []string{"arena"}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 16} {
		b.Run(fmt.Sprintf("op=zadd/commands=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := e.UpdateLater(b.Context(), func(tx *Tx) error {
					for range n {
						s, err := tx.Set("arena")
						if err != nil {
							return err
						}
						if _, err := s.AddIf(members[rng.IntN(len(members))], rng.Float64(), 0); err != nil {
							return err
						}
					}
					return nil
				}, keys...)
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/command")
		})
		b.Run(fmt.Sprintf("op=zscore/commands=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				err := e.View(b.Context(), func(tx *Tx) error {
					for range n {
						s, err := tx.Set("arena")
						if err != nil {
							return err
						}
						_, _ = s.Score(members[rng.IntN(len(members))])
					}
					return nil
				}, keys...)
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/command")
		})
	}
}

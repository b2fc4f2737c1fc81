package engine

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/goroutine"
	"github.com/zrankdb/zrank/internal/invariants"
)

// benchEngine returns an engine at a level, in a directory of the operating system; "memory" is one without.
func benchEngine(b *testing.B, level string) *Engine {
	var e *Engine
	var err error
	if level == "memory" {
		e, err = New(Options{})
	} else {
		var d Durability
		d, err = ParseDurability(level)
		require.NoError(b, err)
		e, err = Open(b.TempDir(), Options{Durability: d})
	}
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, e.Close()) })
	return e
}

// BenchmarkUpdate gives one of 100,000 members a random score, one commit each.
func BenchmarkUpdate(b *testing.B) {
	for _, level := range []string{"memory", "none", "interval", "sync"} {
		for _, callers := range []int{1, 64} {
			b.Run(fmt.Sprintf("durability=%s/callers=%d", level, callers), func(b *testing.B) {
				e := benchEngine(b, level)
				key := []string{"arena"}
				b.ReportAllocs()
				b.SetParallelism(callers)
				if callers == 1 {
					updates(b, e, key, b.Loop)
					return
				}
				b.RunParallel(func(pb *testing.PB) { updates(b, e, key, pb.Next) })
			})
		}
	}
}

// updates updates at random for as long as more says.
func updates(b *testing.B, e *Engine, keys []string, more func() bool) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	member := make([]byte, 20)
	for more() {
		binary.BigEndian.PutUint32(member, rng.Uint32N(100_000))
		err := e.Update(b.Context(), func(tx *Tx) error {
			s, err := tx.Set(keys[0])
			if err == nil {
				_, err = s.Add(member, rng.Float64())
			}
			return err
		}, keys...)
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkView reads one score: of a set that exists, and of one that does not, which costs more.
func BenchmarkView(b *testing.B) {
	e := benchEngine(b, "memory")
	mustUpdate(b, e, []string{"arena"}, func(tx *Tx) { add(b, tx, "arena", "ada", 1) })
	for _, key := range []string{"arena", "absent"} {
		b.Run("set="+key, func(b *testing.B) {
			keys, member := []string{key}, []byte("ada")
			b.ReportAllocs()
			for b.Loop() {
				err := e.View(b.Context(), func(tx *Tx) error {
					s, err := tx.Set(key)
					if err == nil {
						_, _ = s.Score(member)
					}
					return err
				}, keys...)
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRunning measures what a transaction pays for the detection of calls inside a closure: the lookup and the entry in Running
// ("note"), and the goroutine's number. For comparison it measures a read lock.
func BenchmarkRunning(b *testing.B) {
	e := benchEngine(b, "memory")
	b.Run("note", func(b *testing.B) {
		for b.Loop() {
			if e.locks.MayWait() != nil {
				b.Fatal("inside")
			}
			e.m.inside(func() {})
		}
	})
	b.Run("rlock", func(b *testing.B) {
		var m sync.RWMutex
		for b.Loop() {
			m.RLock()
			m.RUnlock()
		}
	})
	b.Run("goroutine", func(b *testing.B) {
		for b.Loop() {
			_ = goroutine.ID()
		}
	})
}

// TestAllocations: a transaction of one key makes one allocation, which has room for its handle and its first undo record. The first change
// of a member makes one more, and 16 changes make four in all.
func TestAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	e, err := New(Options{})
	require.NoError(t, err)
	var members [16][]byte
	for i := range members {
		members[i] = fmt.Appendf(nil, "member %d", i)
	}
	keys, score := []string{"arena"}, 0.0
	update := func(n int) float64 {
		return testing.AllocsPerRun(100, func() {
			_, _ = e.UpdateLater(t.Context(), func(tx *Tx) error {
				for _, m := range members[:n] {
					score++
					s, _ := tx.Set("arena")
					_, _ = s.AddIf(m, score, 0)
				}
				return nil
			}, keys...)
		})
	}
	update(len(members)) // makes the set
	for n, want := range map[int]float64{0: 1, 1: 2, 16: 4} {
		require.LessOrEqual(t, update(n), want, "%d changes", n)
	}
	require.LessOrEqual(t, testing.AllocsPerRun(100, func() {
		_ = e.View(t.Context(), func(tx *Tx) error {
			s, _ := tx.Set("arena")
			_, _ = s.Score(members[0])
			return nil
		}, keys...)
	}), 1.0, "View")
	require.NoError(t, e.Close())
}

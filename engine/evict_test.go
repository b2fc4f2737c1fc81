package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/residency"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
)

// periods is an engine with closed periods, which are sets, and their expected contents.
type periods struct {
	e       *Engine
	o       Options
	keys    []string
	want    []map[string]float64 // scores by member, for each key
	largest int64                // bytes of a period in memory
	total   int64                // of all
}

// newPeriods makes n periods, takes a snapshot, and opens the engine again with a memory limit of one part-th of their memory.
func newPeriods(t testing.TB, fs persist.FS, n, members, part int) *periods {
	p := &periods{}
	p.e = mustOpen(t, fs, Options{Durability: None, SnapshotBytes: -1})
	for i := range n {
		key, want := fmt.Sprintf("arena/day/%04d", i), map[string]float64{}
		mustUpdate(t, p.e, []string{key}, func(tx *Tx) {
			for j := range members {
				m := fmt.Sprintf("player:%08d", j*7919+i)
				want[m] = float64((i*31 + j*17) % 1000)
				add(t, tx, key, m, want[m])
			}
			p.largest = max(p.largest, int64(named(t, tx, key).Size()))
		})
		p.keys, p.want = append(p.keys, key), append(p.want, want)
	}
	require.NoError(t, p.e.Snapshot())
	p.total = p.e.keys.Accounts.Used.Load()
	require.NoError(t, p.e.Close())
	p.o = Options{Durability: None, SnapshotBytes: -1, MemoryLimit: p.total / int64(part)}
	p.e = mustOpen(t, fs, p.o)
	return p
}

// step reads a random period, or sometimes changes it, and compares.
func (p *periods) step(t testing.TB, rng *rand.Rand) {
	i := rng.IntN(len(p.keys))
	key := p.keys[i : i+1]
	m := fmt.Sprintf("player:%08d", rng.IntN(len(p.want[i]))*7919+i)
	if rng.IntN(4) == 0 {
		mustUpdate(t, p.e, key, func(tx *Tx) {
			p.want[i][m] = float64(rng.IntN(1000))
			add(t, tx, key[0], m, p.want[i][m])
		})
		return
	}
	mustView(t, p.e, key, func(tx *Tx) {
		s := named(t, tx, key[0])
		score, ok := s.Score([]byte(m))
		if want, has := p.want[i][m]; ok != has || score != want || s.Len() != len(p.want[i]) {
			t.Fatalf("%s of %s has %v %v, want %v %v; %d members, want %d", m, key[0], score, ok, want, has, s.Len(), len(p.want[i]))
		}
	})
}

// verify compares every member of every period.
func (p *periods) verify(t testing.TB) (members int) {
	for i, key := range p.keys {
		mustView(t, p.e, []string{key}, func(tx *Tx) {
			s := named(t, tx, key)
			require.Equal(t, len(p.want[i]), s.Len())
			for m, want := range p.want[i] {
				got, ok := s.Score([]byte(m))
				require.True(t, ok)
				require.Equal(t, want, got)
				members++
			}
		})
	}
	return members
}

// TestRow39Limit: periods that take 50 times the memory limit are read and changed at random. The sets in memory take at most the limit and one
// period. Every answer is right, and so are all sets at the end and after a reopen.
func TestRow39Limit(t *testing.T) {
	const part = 50
	fs := limitFS()
	// With fewer or smaller sets the limit would be less than the one set in use.
	sets, members, steps := max(150, matrix.Pick(150, 1000)), max(300, matrix.Pick(300, 2000)), matrix.Pick(1500, 30_000)
	p := newPeriods(t, fs, sets, members, part)
	rng := rand.New(rand.NewPCG(39, 1))
	most := int64(0)
	for i := range steps {
		p.step(t, rng)
		used := p.e.keys.Accounts.Used.Load()
		require.LessOrEqual(t, used, p.o.MemoryLimit+p.largest+p.largest/2, "step %d", i)
		most = max(most, used)
	}
	p.verify(t)
	st, err := p.e.Stats()
	require.NoError(t, err)
	require.Positive(t, st.Evicted)
	require.NoError(t, p.e.Close())
	p.e = mustOpen(t, fs, p.o)
	n := p.verify(t)
	require.NoError(t, p.e.Close())
	matrix.Row(t, 39, "%d sets of %d members, %d x the limit of %d KiB: %d reads and changes, %d loads, %d evictions; at most %.2f of the limit in memory; %d members right",
		sets, members, part, p.o.MemoryLimit>>10, steps, st.Loads, st.Evicted, float64(most)/float64(p.o.MemoryLimit), n)
}

// TestLimitConcurrent: goroutines read and change sets under a limit that few of them fit in, while snapshots run. Only one goroutine writes a
// score, so it knows what it must read.
func TestLimitConcurrent(t *testing.T) {
	fs := persist.MemFS()
	p := newPeriods(t, fs, 40, 200, 8)
	const workers = 6
	own := make([]map[string]float64, workers)
	var wg sync.WaitGroup
	for w := range workers {
		own[w] = map[string]float64{}
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 3))
			for range times(matrix.Pick(500, 1500)) {
				keys := []string{p.keys[rng.IntN(40)], p.keys[rng.IntN(40)]}
				m := fmt.Sprintf("own:%d", w)
				check := func(tx *Tx) {
					for _, key := range keys {
						got, ok := named(t, tx, key).Score([]byte(m))
						if want, has := own[w][key]; ok != has || got != want {
							panic(fmt.Sprintf("%s in %s is %v %v, want %v %v", m, key, got, ok, want, has))
						}
					}
				}
				if rng.IntN(3) > 0 {
					mustView(t, p.e, keys, check)
					continue
				}
				mustUpdate(t, p.e, keys, func(tx *Tx) {
					check(tx)
					for _, key := range keys {
						own[w][key] = float64(rng.IntN(100))
						add(t, tx, key, m, own[w][key])
					}
				})
			}
		})
	}
	wg.Go(func() {
		for range 20 {
			require.NoError(t, p.e.Snapshot())
			_, err := p.e.Stats()
			require.NoError(t, err)
		}
	})
	wg.Wait()
	for w := range own {
		for key, score := range own[w] {
			p.want[slices.Index(p.keys, key)][fmt.Sprintf("own:%d", w)] = score
		}
	}
	p.verify(t)
	counted(t, p.e)
	require.Positive(t, p.e.keys.Accounts.Evicted.Load())
	require.NoError(t, p.e.Close())
}

// TestMemoryCounted: the running sum follows sets that grow, shrink, vanish and are rolled back.
func TestMemoryCounted(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		for i := range times(300) {
			key := fmt.Sprint("k", i%7)
			err := e.Update(t.Context(), func(tx *Tx) error {
				s := named(t, tx, key)
				if i%5 == 4 {
					_, err := s.PopMin(s.Len())
					return err
				}
				fill(t, s, rand.New(rand.NewPCG(uint64(i), 1)), i)
				if i%3 == 0 {
					return errScript
				}
				return nil
			}, key)
			require.True(t, err == nil || errors.Is(err, errScript))
			counted(t, e)
		}
	})
}

// TestLeastRecentFirst: the set that was used last stays in memory.
func TestLeastRecentFirst(t *testing.T) {
	p := newPeriods(t, persist.MemFS(), 40, 200, 4)
	for i := range 40 {
		mustView(t, p.e, p.keys[i:i+1], func(*Tx) {})
		mustView(t, p.e, p.keys[:1], func(*Tx) {}) // in use all the time
	}
	st, err := p.e.Stats()
	require.NoError(t, err)
	require.Equal(t, 40, st.Loads, "the set in use has never left")
	require.Positive(t, st.Evicted)
	for _, key := range []string{p.keys[0], p.keys[39], p.keys[38]} {
		require.NotNil(t, p.e.keys.Find(key).Entries)
	}
	require.Nil(t, p.e.keys.Find(p.keys[1]).Entries)
	require.NoError(t, p.e.Close())
}

// TestPreload: Preload reads the sets with the prefix, as far as they fit.
func TestPreload(t *testing.T) {
	fs := persist.MemFS()
	p := newPeriods(t, fs, 30, 200, 2)
	ctx, cancel := context.WithCancel(t.Context())
	n, err := p.e.Preload(ctx, "arena/day/000")
	require.NoError(t, err)
	require.Equal(t, 10, n)
	n, err = p.e.Preload(ctx, "arena/day/000")
	require.NoError(t, err)
	require.Zero(t, n)
	_, err = p.e.Preload(ctx, "")
	require.ErrorIs(t, err, ErrMemoryLimit)
	require.Zero(t, p.e.keys.Accounts.Evicted.Load())
	require.LessOrEqual(t, p.e.keys.Accounts.Used.Load(), p.o.MemoryLimit)
	require.NoError(t, p.e.Close())
	_, err = p.e.Preload(ctx, "")
	require.ErrorIs(t, err, ErrClosed)
	p.e = mustOpen(t, fs, Options{})
	cancel()
	n, err = p.e.Preload(ctx, "")
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, n)
	n, err = p.e.Preload(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, 30, n)
	require.NoError(t, p.e.Close())
}

// TestLimitWhenIdle: sets that could not leave while they were in use leave later, even without further calls.
func TestLimitWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 256 << 10
		e := mustOpen(t, memfs.New(), Options{MemoryLimit: limit})
		sets := 0
		for ; e.keys.Accounts.Used.Load() <= limit; sets++ {
			key := fmt.Sprintf("s%d", sets)
			mustUpdate(t, e, []string{key}, func(tx *Tx) {
				for j := range 1000 {
					add(t, tx, key, fmt.Sprintf("member%d", j), float64(j))
				}
			})
			e.keys.Find(key).Pins.Add(1) // as if other transactions were about to use all of them
		}
		synctest.Wait()
		require.Greater(t, e.keys.Accounts.Used.Load(), int64(limit))
		for i := range sets {
			e.keys.Find(fmt.Sprintf("s%d", i)).Pins.Add(-1)
		}
		time.Sleep(3 * residency.ReliefPause)
		synctest.Wait()
		require.LessOrEqual(t, e.keys.Accounts.Used.Load(), int64(limit))
		require.NoError(t, e.Close())
	})
}

package engine

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// limitLoad is a load on an engine with a memory limit. Each worker changes members of its own, so it knows what they must be.
type limitLoad struct {
	limit        int64
	sets         int // keys, which the workers choose at random
	members      int // of each set in the beginning
	grow         bool
	workers      int
	steps        int // of each worker
	most         atomic.Int64
	largest      atomic.Int64 // bytes of a set
	e            *Engine
	want         []map[string]map[string]float64 // by worker, key and member
	snapshotting bool                            // snapshots run meanwhile
}

func (l *limitLoad) key(i int) string { return fmt.Sprintf("lb%d", i) }

// fill makes the sets.
func (l *limitLoad) fill(t *testing.T) {
	for i := range l.sets {
		if l.members == 0 {
			break
		}
		mustUpdate(t, l.e, []string{l.key(i)}, func(tx *Tx) {
			for j := range l.members {
				add(t, tx, l.key(i), fmt.Sprintf("first:%08d", j), float64(j))
			}
		})
	}
}

// work does the steps of one worker, and notes the most that the sets have ever taken.
func (l *limitLoad) work(t *testing.T, w int) {
	rng := rand.New(rand.NewPCG(uint64(w), 7))
	for i := range l.steps {
		key, member := l.key(rng.IntN(l.sets)), fmt.Sprintf("w%d", w)
		if l.grow {
			member = fmt.Sprintf("w%d:%d", w, i)
		}
		mustUpdate(t, l.e, []string{key}, func(tx *Tx) {
			s := named(t, tx, key)
			if got, ok := s.Score([]byte(member)); ok != has(l.want[w][key], member) || got != l.want[w][key][member] {
				panic(fmt.Sprintf("%s in %s is %v %v, want %v", member, key, got, ok, l.want[w][key]))
			}
			score := float64(rng.IntN(1000))
			add(t, tx, key, member, score)
			if l.want[w][key] == nil {
				l.want[w][key] = map[string]float64{}
			}
			l.want[w][key][member] = score
			raise(&l.largest, int64(s.Size()))
		})
		raise(&l.most, l.e.keys.Accounts.Used.Load())
	}
}

func has(m map[string]float64, member string) bool { _, ok := m[member]; return ok }

// raise sets x to v if that is more.
func raise(x *atomic.Int64, v int64) {
	for was := x.Load(); v > was && !x.CompareAndSwap(was, v); was = x.Load() {
	}
}

// verify compares the members of all workers.
func (l *limitLoad) verify(t *testing.T, e *Engine) {
	for _, sets := range l.want {
		for key, members := range sets {
			mustView(t, e, []string{key}, func(tx *Tx) {
				for m, want := range members {
					got, ok := named(t, tx, key).Score([]byte(m))
					require.True(t, ok && got == want, "%s in %s is %v %v, want %v", m, key, got, ok, want)
				}
			})
		}
	}
}

// run runs the load, and compares what is there in the end, after a power cut, and after a close.
func (l *limitLoad) run(t *testing.T) {
	mem := memfs.NewCrashable()
	o := Options{Durability: None, SnapshotBytes: -1, MemoryLimit: l.limit}
	l.e = mustOpen(t, mem, o)
	l.fill(t)
	var wg sync.WaitGroup
	for range l.workers {
		l.want = append(l.want, map[string]map[string]float64{})
	}
	for w := range l.workers {
		wg.Go(func() { l.work(t, w) })
	}
	for range 5 {
		if l.snapshotting {
			require.NoError(t, l.e.Snapshot())
		}
	}
	wg.Wait()
	require.Positive(t, l.e.keys.Accounts.Evicted.Load())
	// One set above the limit, and what the transactions that run add, which is less than another set.
	require.LessOrEqual(t, l.most.Load(), l.limit+l.limit/10+2*l.largest.Load(), "of %d; the largest set has %d", l.limit, l.largest.Load())
	l.verify(t, l.e)
	counted(t, l.e)
	require.NoError(t, l.e.Flush())
	after := mustOpen(t, powercut.Clone(mem, 0, 1), o)
	l.verify(t, after)
	require.NoError(t, after.Close())
	require.NoError(t, l.e.Close())
	after = mustOpen(t, mem, o)
	l.verify(t, after)
	require.NoError(t, after.Close())
}

// TestLimitHolds: whatever transactions change, the sets in memory take at most a tenth more than the limit, the set of one transaction, and what those
// that run add. No snapshot is needed for that.
func TestLimitHolds(t *testing.T) {
	for name, l := range map[string]*limitLoad{
		"hot":      {limit: 1 << 20, sets: 8, members: 4000, workers: 6, steps: times(matrix.Pick(80, 200))},
		"many":     {limit: 256 << 10, sets: 300, members: 60, workers: 6, steps: times(matrix.Pick(200, 600))},
		"growing":  {limit: 128 << 10, sets: 20, grow: true, workers: 6, steps: 1000},
		"flood":    {limit: 32 << 10, sets: 100_000, grow: true, workers: 4, steps: 500},
		"one set":  {limit: 64 << 10, sets: 2, members: 3000, workers: 3, steps: times(60)},
		"snapshot": {limit: 512 << 10, sets: 100, members: 300, workers: 4, steps: times(matrix.Pick(150, 400)), snapshotting: true},
	} {
		t.Run(name, func(t *testing.T) {
			l.run(t)
			t.Logf("at most %.2f of the limit; the largest set %.2f", float64(l.most.Load())/float64(l.limit), float64(l.largest.Load())/float64(l.limit))
		})
	}
}

// TestSweepsAtOnce: evictions that are asked for at once each wait for a write-out that runs, while others begin.
func TestSweepsAtOnce(t *testing.T) {
	e := mustOpen(t, persist.MemFS(), Options{Durability: None, SnapshotBytes: -1, MemoryLimit: 2 << 10})
	for _, err := range crowd(6, func(i int) (err error) {
		for n := 0; n < times(300) && err == nil; n++ {
			if i%2 == 0 {
				err = setX(e, fmt.Sprint(n%200), float64(n))
			} else {
				e.residency.Sweep()
			}
		}
		return err
	}) {
		require.NoError(t, err)
	}
	counted(t, e)
	require.Positive(t, e.keys.Accounts.Evicted.Load())
	require.NoError(t, e.Close())
}

// TestWrittenOut: a set that has changed since the last snapshot is written out without a snapshot, and can leave memory then; one that has changed
// meanwhile stays. The log stays, and the sets are not read again for it.
func TestWrittenOut(t *testing.T) {
	fs := persist.MemFS()
	e := mustOpen(t, fs, Options{Durability: None, SnapshotBytes: -1, MemoryLimit: 1 << 30})
	change := func(key, member string) {
		mustUpdate(t, e, []string{key}, func(tx *Tx) { add(t, tx, key, member, 1) })
	}
	change("a", "m")
	change("b", "m")
	sets := []*keyspace.Set{e.keys.Find("a"), e.keys.Find("b")}
	pages := 0
	e.checkpoints.Paged = func(page []byte) []byte {
		if pages++; pages == 2 {
			change("b", "meanwhile")
		}
		return page
	}
	left := func(s *keyspace.Set) bool {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		return e.keys.Accounts.Leave(s)
	}
	done := []int{}
	count := func(n, written int) { done = append(done, n, written) }
	require.NoError(t, e.checkpoints.WriteOut(sets, count))
	require.Equal(t, []int{2, 2}, done)
	require.True(t, left(sets[0]))
	require.False(t, left(sets[1]))
	require.NoError(t, e.checkpoints.WriteOut(sets, count))
	require.Equal(t, []int{2, 2, 2, 1}, done, "a has not changed")
	require.True(t, left(sets[1]))
	require.Equal(t, 3, pages)
	st, err := e.Stats()
	require.NoError(t, err)
	require.Zero(t, st.Memory)
	require.Zero(t, st.Snapshots.Taken)
	require.Positive(t, e.store.LogBytes())
	mustView(t, e, []string{"b"}, func(tx *Tx) { require.Equal(t, 2, named(t, tx, "b").Len()) })
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{})
	require.Zero(t, e.Recovery().Loaded, "their pages have all of the log")
	mustView(t, e, []string{"b"}, func(tx *Tx) { require.Equal(t, 2, named(t, tx, "b").Len()) })
	require.NoError(t, e.Close())
}

package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
)

// TestManage: random calls on whole sets, in memory and stored, with sets that leave memory, and reopens; each answer is compared
// with a naive map.
func TestManage(t *testing.T) {
	for _, row := range []struct {
		name   string
		stored bool
		o      Options
	}{{"memory", false, Options{}}, {"stored", true, Options{}}, {"limit", true, Options{MemoryLimit: 1, SnapshotBytes: 1}}} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			m := &keysModel{rng: rand.New(rand.NewPCG(5, 1)), now: 1e12, sets: map[string]keptSet{}, did: map[string]int{}}
			fs, o := memfs.New(), row.o
			o.Clock, o.lazy = m.clock, true
			open := func() {
				var err error
				if o.FS = fs; row.stored {
					m.e, err = Open("db", o)
				} else {
					m.e, err = New(o)
				}
				require.NoError(t, err)
			}
			open()
			for i := range times(6000) {
				require.NoError(t, m.step(), "call %d", i)
				if i%100 == 99 {
					require.NoError(t, inOrderInside(m.e), "call %d", i)
				}
				if row.stored && i%250 == 249 {
					if m.rng.IntN(2) == 0 {
						require.NoError(t, m.e.Snapshot())
					}
					require.NoError(t, m.e.Close())
					open()
				}
			}
			t.Logf("calls that agree with the map: %v", m.did)
			require.NoError(t, m.e.Close())
		})
	}
}

// someSets makes sets of one member.
func someSets(t testing.TB, e *Engine, prefix string, n int) (keys []string) {
	t.Helper()
	for i := range n {
		keys = append(keys, fmt.Sprintf("%s%05d", prefix, i))
	}
	for some := range slices.Chunk(keys, 1000) {
		mustUpdate(t, e, some, func(tx *Tx) {
			for _, key := range some {
				add(t, tx, key, "x", 1)
			}
		})
	}
	return keys
}

// TestDeleteReadsNothing: no call that drops, counts or lists cold sets reads them from the disk, and Open does not read dropped ones.
func TestDeleteReadsNothing(t *testing.T) {
	fs := persist.MemFS()
	e := mustOpen(t, fs, Options{})
	keys := someSets(t, e, "k", 100)
	_, err := e.ExpireIn(t.Context(), keys[99], time.Hour)
	require.NoError(t, err)
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{SnapshotBytes: -1})
	n, err := e.Exists(t.Context(), append(keys, keys...)...)
	require.NoError(t, err)
	require.Equal(t, 200, n)
	_, ok, err := e.Expiry(keys[99])
	require.NoError(t, err)
	require.True(t, ok)
	n, err = e.Delete(t.Context(), append(keys[:50], keys[:50]...)...)
	require.NoError(t, err)
	require.Equal(t, 50, n)
	n, err = e.Delete(t.Context(), "none", keys[0])
	require.NoError(t, err)
	require.Zero(t, n)
	st, err := e.Stats()
	require.NoError(t, err)
	require.Equal(t, [2]int{50, 0}, [2]int{st.Sets, st.Loads})
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{SnapshotBytes: -1})
	require.Zero(t, e.Recovery().Loaded, "a set that the log drops is not read")
	n, err = e.Clear(t.Context())
	require.NoError(t, err)
	require.Equal(t, 50, n)
	st, err = e.Stats()
	require.NoError(t, err)
	require.Equal(t, [2]int{0, 0}, [2]int{st.Sets, st.Loads})
	require.NoError(t, e.Snapshot())
	for r := range e.store.Sets() {
		t.Fatalf("%q has a record", r.Key)
	}
	require.NoError(t, e.Close())
}

// TestScanWhileKeysChange: a walk returns every key once that exists all the time, while other keys come and go, and while the sets under the keys
// that stay are replaced and swapped.
func TestScanWhileKeysChange(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		stay := someSets(t, e, "stay", 2000)
		stop := make(chan struct{})
		var wg sync.WaitGroup
		for w := range 2 {
			wg.Go(func() { churnKeys(t, e, stay[w*1000:w*1000+1000], w, stop) })
		}
		walks, most, total := times(12), 0, 0
		for i := range walks {
			n := []int{-1, 0, 1, 7, 100, 5000}[i%6]
			got, calls := map[string]int{}, 0
			for cursor := uint64(0); calls == 0 || cursor != 0; calls++ {
				keys, next, err := e.ScanKeys(cursor, n)
				require.NoError(t, err)
				for _, key := range keys {
					got[key]++
				}
				cursor = next
			}
			for _, key := range stay {
				require.Equal(t, 1, got[key], "%s in walk %d of %d at a time", key, i, n)
			}
			most, total = max(most, calls), total+len(got)
			listed, err := e.Keys("stay")
			require.NoError(t, err)
			require.Equal(t, stay, listed)
			n, err = e.Exists(t.Context(), stay...)
			require.NoError(t, err)
			require.Equal(t, len(stay), n)
		}
		close(stop)
		wg.Wait()
		require.NoError(t, inOrderInside(e))
		t.Logf("%d walks, %d keys, %d calls in the longest", walks, total, most)
	})
}

// churnKeys replaces, swaps and renames sets whose keys stay, and makes and drops others.
func churnKeys(t testing.TB, e *Engine, stay []string, w int, stop chan struct{}) {
	rng := rand.New(rand.NewPCG(uint64(w), 9))
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		a, b, other := stay[rng.IntN(len(stay))], stay[rng.IntN(len(stay))], fmt.Sprintf("other%d/%d", w, i%500)
		keys := []string{a, b, other}
		mustUpdate(t, e, keys, func(tx *Tx) {
			switch rng.IntN(4) {
			case 0: // swap
				require.NoError(t, tx.Rename(a, other))
				if a != b {
					require.NoError(t, tx.Rename(b, a))
				}
				require.NoError(t, tx.Rename(other, b))
			case 1: // replace
				_, err := tx.Drop(a)
				require.NoError(t, err)
				add(t, tx, a, "y", 2)
			case 2:
				require.NoError(t, tx.Copy(a, b))
				add(t, tx, other, "z", 3)
			case 3:
				_, err := tx.Drop(other)
				require.NoError(t, err)
			}
		})
	}
}

// TestRandomKey: each key has the same probability, by a chi-square test, also if other sets have expired.
func TestRandomKey(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		now := time.UnixMilli(1e12)
		e.m.clock = func() time.Time { return now }
		e.m.collector.Do(func() {}) // the collector does not start, so expired sets stay
		r := rand.New(rand.NewPCG(7, 7))
		_, ok, err := e.RandomKey(nil)
		require.NoError(t, err)
		require.False(t, ok)
		keys := someSets(t, e, "k", 40)
		require.Less(t, chiSquare(t, e, r, keys), 120.0, "39 degrees of freedom: once in 10^9")
		gone := someSets(t, e, "gone", times(500))
		for _, key := range gone {
			_, err := e.ExpireIn(t.Context(), key, time.Second)
			require.NoError(t, err)
		}
		now = now.Add(time.Second)
		require.Less(t, chiSquare(t, e, r, keys), 120.0, "nearly all are gone")
		n, err := e.Count()
		require.NoError(t, err)
		require.Equal(t, len(keys)+len(gone), n, "they count until they are dropped")
		n, err = e.Delete(t.Context(), keys...)
		require.NoError(t, err)
		require.Equal(t, len(keys), n)
		_, ok, err = e.RandomKey(r)
		require.NoError(t, err)
		require.False(t, ok)
	})
}

func chiSquare(t testing.TB, e *Engine, r *rand.Rand, keys []string) (x float64) {
	drawn := map[string]int{}
	draws := times(100) * len(keys)
	for range draws {
		key, ok, err := e.RandomKey(r)
		require.NoError(t, err)
		require.True(t, ok)
		drawn[key]++
	}
	want := float64(draws) / float64(len(keys))
	for _, key := range keys {
		x += (float64(drawn[key]) - want) * (float64(drawn[key]) - want) / want
		delete(drawn, key)
	}
	require.Empty(t, drawn)
	t.Logf("%d draws of %d keys, chi square %.1f", draws, len(keys), x)
	return x
}

// TestClear: it drops everything, long keys and renamed sets too, and stops when its context ends.
func TestClear(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		someSets(t, e, "k", 2500)
		for i := range 300 { // 18 MiB of keys: more than one commit may have
			key := fmt.Sprint(i, strings.Repeat("k", 60<<10))
			mustUpdate(t, e, []string{key}, func(tx *Tx) { add(t, tx, key, "x", 1) })
		}
		require.NoError(t, e.Rename(t.Context(), "k00000", "a"))
		mustUpdate(t, e, nil, func(tx *Tx) { require.NoError(t, tx.Put("k", nil)) })
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		n, err := e.Clear(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, n)
		n, err = e.Clear(t.Context())
		require.NoError(t, err)
		require.Equal(t, 2800, n)
		n, err = e.Count()
		require.NoError(t, err)
		require.Zero(t, n)
		mustView(t, e, nil, func(tx *Tx) {
			_, ok, err := tx.Get("k")
			require.NoError(t, err)
			require.True(t, ok)
		})
		require.NoError(t, inOrderInside(e))
	})
}

// TestManageClosed: every call returns ErrClosed after Close.
func TestManageClosed(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		someSets(t, e, "k", 3)
		require.NoError(t, e.Close())
		r := rand.New(rand.NewPCG(1, 1))
		calls := []error{
			second(e.Exists(t.Context(), "k00000")), second(e.Exists(t.Context())), second(e.Type(t.Context(), "k00000")), second(e.Delete(t.Context(), "k00000")), e.Rename(t.Context(), "k00000", "b"), second(e.RenameIfAbsent(t.Context(), "k00000", "b")),
			second(e.ExpireAt(t.Context(), "k00000", time.UnixMilli(1))), second(e.ExpireIn(t.Context(), "k00000", 1)), second(e.Persist(t.Context(), "k00000")),
			second(e.Count()), second(e.Keys("")), second(e.Glob("*")), second(e.Clear(t.Context())),
			install(e, t.Context(), "k00000", must(newSet())),
		}
		_, _, err := e.Expiry("k00000")
		calls = append(calls, err)
		_, _, err = e.ScanKeys(0, 1)
		calls = append(calls, err)
		_, _, err = e.RandomKey(r)
		for i, err := range append(calls, err) {
			require.ErrorIs(t, err, ErrClosed, "call %d", i)
		}
		t.Logf("%d calls", len(calls)+1)
	})
}

package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
)

// loadedSets returns for each of the sets whether it is in memory.
func loadedSets(t testing.TB, e *Engine, keys ...string) (loaded []bool) {
	t.Helper()
	for _, key := range keys {
		u, ok, err := e.Usage(key)
		require.NoError(t, err)
		require.True(t, ok, key)
		if !u.Loaded {
			require.Zero(t, u.Memory)
		}
		loaded = append(loaded, u.Loaded)
	}
	return loaded
}

// TestUnload: a set leaves memory at once if the disk has its latest state; after the next snapshot if it has changed; and not at all if it is used in
// between. This holds with a limit and without. Nothing is lost, and a set that has left takes no memory.
func TestUnload(t *testing.T) {
	for _, limit := range []int64{0, 1 << 30} {
		t.Run(fmt.Sprintf("limit=%d", limit), func(t *testing.T) {
			mem := memfs.NewCrashable()
			e := mustOpen(t, mem, Options{SnapshotBytes: -1, MemoryLimit: limit})
			keys := []string{"kept", "changed", "touched", "float"}
			form := intForms[2]
			for _, key := range keys[:3] {
				fillInts(t, e, key, form, 500)
			}
			require.NoError(t, setX(e, "float", 1))
			require.NoError(t, e.Snapshot())
			require.Equal(t, []bool{true, true, true, true}, loadedSets(t, e, keys...))
			fillInts(t, e, "changed", form, 600)
			fillInts(t, e, "touched", form, 600)
			before := e.keys.Accounts.Used.Load()
			require.NoError(t, e.Unload(append(keys, "nobody", "kept")...))
			require.Equal(t, []bool{false, true, true, false}, loadedSets(t, e, keys...))
			require.Less(t, e.keys.Accounts.Used.Load(), before)
			n, err := e.Exists(t.Context(), keys...) // does not count as a use
			require.NoError(t, err)
			require.Equal(t, 4, n)
			require.NoError(t, hasInts(e, "touched", form, 600))
			require.NoError(t, hasInts(e, "kept", form, 500))
			require.NoError(t, e.Snapshot())
			require.Equal(t, []bool{true, false, true, false}, loadedSets(t, e, keys...))
			require.NoError(t, hasInts(e, "changed", form, 600))
			require.NoError(t, setX(e, "float", 2))
			require.NoError(t, e.Snapshot())
			require.Equal(t, []bool{true, true, true, true}, loadedSets(t, e, keys...), "they came back, and stay")
			require.NoError(t, e.Unload(keys...))
			require.Equal(t, []bool{false, false, false, false}, loadedSets(t, e, keys...))
			require.Zero(t, e.keys.Accounts.Used.Load())
			st, err := e.Stats()
			require.NoError(t, err)
			require.Equal(t, []int{4, 0, 0, 0}, []int{st.Sets, st.Loaded, st.Members, st.Memory})
			mem = cutAndClose(t, e, mem)
			e = mustOpen(t, mem, Options{SnapshotBytes: -1, MemoryLimit: limit})
			require.Equal(t, []bool{false, false, false, false}, loadedSets(t, e, keys...))
			require.NoError(t, hasInts(e, "changed", form, 600))
			require.NoError(t, sound(e, 4))
			require.NoError(t, e.Close())
			require.ErrorIs(t, e.Unload("kept"), ErrClosed)
		})
	}
}

// TestUnloadWhileCopied: a set that is being copied stays until the copy is complete.
func TestUnloadWhileCopied(t *testing.T) {
	e := mustOpen(t, memfs.NewCrashable(), Options{SnapshotBytes: -1})
	defer e.Close()
	e.ops.pageWork = 4 << 10
	form, n := intForms[2], 2000
	fillInts(t, e, "a", form, n)
	require.NoError(t, e.Snapshot())
	pauses := 0
	e.ops.copied = func() {
		pauses++
		require.NoError(t, e.Unload("a"))
		require.Equal(t, []bool{true}, loadedSets(t, e, "a"))
	}
	z, _, err := e.CopyInts(t.Context(), "a", form)
	require.NoError(t, err)
	require.Equal(t, n, z.Len())
	require.Greater(t, pauses, 10)
	require.NoError(t, setX(e, "b", 1))
	require.NoError(t, e.Snapshot())
	require.Equal(t, []bool{true}, loadedSets(t, e, "a"), "the copy was the last to touch it")
	require.NoError(t, e.Unload("a"))
	require.Equal(t, []bool{false}, loadedSets(t, e, "a"))
	t.Logf("%d pages", pauses)
}

// TestUnloadWhileWritten: a set that a snapshot is writing leaves after it, or, if it has changed meanwhile, after the next one. After a snapshot that
// fails no set leaves. If the set is dropped before, its Unload is forgotten; if it is renamed, it still leaves.
func TestUnloadWhileWritten(t *testing.T) {
	e := mustOpen(t, persist.MemFS(), Options{SnapshotBytes: -1})
	form := intForms[1]
	for _, key := range []string{"same", "more", "gone", "from"} {
		fillInts(t, e, key, form, 500)
	}
	more, changed := e.keys.Find("more"), false
	e.checkpoints.Paged = func(page []byte) []byte {
		more.Mu.RLock()
		now := more.Writing && !changed
		more.Mu.RUnlock()
		if now {
			changed = true
			require.NoError(t, e.Unload("same", "more", "gone", "from"))
			fillInts(t, e, "more", form, 501)
			require.NoError(t, e.Unload("more"))
		}
		return page
	}
	require.NoError(t, e.Snapshot())
	require.Equal(t, []bool{false, true, false, false}, loadedSets(t, e, "same", "more", "gone", "from"))
	require.NoError(t, e.Snapshot())
	require.Equal(t, []bool{false}, loadedSets(t, e, "more"))
	require.NoError(t, setInt(e, "gone", form))
	require.NoError(t, setInt(e, "from", form))
	require.NoError(t, e.Unload("gone", "from"))
	n, err := e.Delete(t.Context(), "gone")
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoError(t, e.Rename(t.Context(), "from", "to"))
	require.NoError(t, e.Unload("to"))
	require.NoError(t, e.Snapshot())
	require.Equal(t, []bool{false}, loadedSets(t, e, "to"))
	require.Empty(t, e.keys.Accounts.Unloads)
	require.NoError(t, sound(e, 3))
	require.NoError(t, e.Close())
	m := must(New(Options{}))
	fillInts(t, m, "n", form, 20)
	require.NoError(t, m.Unload("n"))
	require.NoError(t, hasInts(m, "n", form, 20))
	require.NoError(t, m.Close())
}

func setInt(e *Engine, key string, f Form) error {
	return e.Update(context.Background(), func(tx *Tx) error {
		s, err := tx.IntSet(key, f)
		if err == nil {
			_, err = s.Add([]byte("more"), 1<<53+1)
		}
		return err
	}, key)
}

// TestUnloadRaces: several goroutines write, read, copy and unload the same sets while snapshots are taken. At the end, and after a reopen, every
// member of every commit is there.
func TestUnloadRaces(t *testing.T) {
	rounds := 400
	if testing.Short() || invariants.Enabled {
		rounds = 60
	}
	mem := memfs.New()
	e := mustOpen(t, mem, Options{Durability: None, SnapshotBytes: -1})
	keys := make([]string, 30)
	for i := range keys {
		keys[i] = fmt.Sprint("n", i)
		require.NoError(t, setInt(e, keys[i], intForms[1]))
	}
	var wg sync.WaitGroup
	failed := make(chan error, 100)
	workers := 4
	for w := range workers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 1))
			for i := range rounds {
				if err := unloadRace(e, rng, keys[rng.IntN(len(keys))], fmt.Sprintf("w%d/%d", w, i)); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(failed)
	for err := range failed {
		require.NoError(t, err)
	}
	evicted, loads := e.keys.Accounts.Evicted.Load(), e.residency.Loads.Load()
	require.Greater(t, evicted, uint64(rounds/10))
	require.Positive(t, loads)
	for range 2 {
		require.NoError(t, sound(e, len(keys)))
		all := -len(keys)
		for _, key := range keys {
			z, _, err := e.CopyInts(t.Context(), key, intForms[1])
			require.NoError(t, err)
			all += z.Len()
		}
		require.Equal(t, workers*rounds, all)
		require.NoError(t, e.Close())
		e = mustOpen(t, mem, Options{})
	}
	require.NoError(t, e.Close())
	t.Logf("%d commits; %d times a set has left memory, %d times one came back", workers*rounds, evicted, loads)
}

// unloadRace adds a member, looks for it, and does one other thing.
func unloadRace(e *Engine, rng *rand.Rand, key, member string) error {
	ctx := context.Background()
	form := intForms[1]
	err := e.Update(ctx, func(tx *Tx) error {
		s, err := tx.IntSet(key, form)
		if err == nil {
			_, err = s.Add([]byte(member), rng.Int64())
		}
		return err
	}, key)
	if err != nil {
		return err
	}
	switch rng.IntN(6) {
	case 0:
		err = e.Snapshot()
	case 1, 2:
		return e.Unload(key)
	case 3:
		_, _, err = e.CopyInts(ctx, key, form)
	}
	if err != nil {
		return err
	}
	return e.View(ctx, func(tx *Tx) error {
		s, err := tx.IntSet(key, form)
		if err == nil && s.Len() == 0 {
			err = fmt.Errorf("%q is empty", key)
		}
		if _, ok := s.Score([]byte(member)); err == nil && !ok {
			err = fmt.Errorf("%s is not in %q", member, key)
		}
		return err
	}, key)
}

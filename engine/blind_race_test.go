package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
)

// TestBlindRaces makes blind writes from several goroutines, each with members of its own, while others read the sets, unload them, take
// snapshots and check. At the end, and after a reopen, the sets hold what the writers have left.
func TestBlindRaces(t *testing.T) {
	for _, limit := range []int64{0, 100_000} {
		mem := memfs.NewCrashable()
		o := Options{SnapshotBytes: -1, MemoryLimit: limit}
		e := mustOpen(t, mem, o)
		b := blindSets{}
		for _, key := range blindKeys {
			b.fill(t, e, key, 400)
		}
		require.NoError(t, e.Snapshot())
		var stop atomic.Bool
		var others, writers sync.WaitGroup
		var bad error
		var mu sync.Mutex
		note := func(err error) {
			mu.Lock()
			defer mu.Unlock()
			bad = errors.Join(bad, err)
		}
		for i, do := range []func() error{
			func() error { return e.Unload(blindKeys...) },
			func() error { return e.Snapshot() },
			func() error { return e.View(t.Context(), func(*Tx) error { return nil }, blindKeys[:2]...) },
			func() error { return e.View(t.Context(), func(*Tx) error { return nil }, blindKeys[1:]...) },
			func() error { return second(e.Usages(blindKeys)) },
			func() error { return checkFinds(e) },
		} {
			others.Go(func() {
				for !stop.Load() {
					if err := do(); err != nil {
						note(fmt.Errorf("call %d: %w", i, err))
						return
					}
				}
			})
		}
		own := ownerOf(t, e)
		for w := range 3 {
			writers.Go(func() { note(blindWriter(e, own, b, &mu, w, matrix.Pick(150, 3000))) })
		}
		writers.Wait()
		stop.Store(true)
		others.Wait()
		require.NoError(t, bad)
		require.NoError(t, b.sealed(e, own))
		counted(t, e)
		require.NoError(t, checkFinds(e))
		mem = cutAndClose(t, e, mem)
		e = mustOpen(t, mem, o)
		require.NoError(t, b.sealed(e, ownerOf(t, e)))
		require.NoError(t, b.equal(e))
		require.NoError(t, sound(e, len(blindKeys)))
		require.NoError(t, e.Close())
	}
}

// blindWriter removes and puts members of which w owns every third, in two sets at a time. mu guards the model.
func blindWriter(e *Engine, o Owner, b blindSets, mu *sync.Mutex, w, writes int) error {
	r := rand.New(rand.NewPCG(uint64(w), 9))
	for range writes {
		keys := []string{blindKeys[r.IntN(3)], blindKeys[r.IntN(3)]}
		err := o.UpdateBlind(context.Background(), nil, keys, func(tx *Tx) error {
			mu.Lock()
			defer mu.Unlock()
			for _, key := range keys {
				member := fmt.Sprintf("m%04d", r.IntN(133)*3+w)
				var err error
				if _, has := b[key][member]; has {
					err = b.remove(tx, o, key, member)
				} else {
					err = b.put(tx, o, key, member, blindEntry{r.Int64N(9), blindTie(r.Uint64N(3))})
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("writer %d: %w", w, err)
		}
		if r.IntN(8) == 0 {
			if err := e.Unload(keys...); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFinds returns an error if a check finds a problem.
func checkFinds(e *Engine) error {
	rep, err := e.Check(context.Background(), nil)
	if err == nil && len(rep.Problems) > 0 {
		err = fmt.Errorf("check: %v", rep.Problems)
	}
	return err
}

// snapshotBefore is an Ender that starts a snapshot and waits until it waits for the transaction's locks.
type snapshotBefore struct {
	e    *Engine
	done chan error
}

func (s snapshotBefore) Ended(bool) {
	go func() { s.done <- s.e.Snapshot() }()
	synctest.Wait()
}

// TestBlindMeetsSnapshot: a snapshot that begins when the log has a blind write, and the set is still locked, has the write.
func TestBlindMeetsSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := memfs.New()
		e := mustOpen(t, mem, Options{SnapshotBytes: -1})
		o, b, s := ownerOf(t, e), blindSets{}, snapshotBefore{e, make(chan error, 1)}
		b.fill(t, e, "board/a", 100)
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Unload("board/a"))
		require.NoError(t, o.UpdateBlind(t.Context(), nil, []string{"board/a"}, func(tx *Tx) error {
			o.NoteEnd(tx, s)
			return b.remove(tx, o, "board/a", "m0007")
		}))
		require.NoError(t, <-s.done)
		require.Equal(t, []bool{false}, loadedSets(t, e, "board/a"))
		require.NoError(t, e.Close())
		e = mustOpen(t, mem, Options{SnapshotBytes: -1})
		require.NoError(t, b.sealed(e, ownerOf(t, e)))
		require.NoError(t, b.equal(e))
		require.NoError(t, e.Close())
	})
}

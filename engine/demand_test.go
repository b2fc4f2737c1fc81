package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
)

// TestNamesNoKeys: a transaction locks what its closure asks for, and runs once if nobody else wants it.
func TestNamesNoKeys(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		runs := 0
		mustUpdate(t, e, nil, func(tx *Tx) {
			runs++
			add(t, tx, "b", "x", 2)
			add(t, tx, "a", "x", 1)
			add(t, tx, "b", "y", 3)
			require.NoError(t, tx.Put("coins", []byte("5")))
			require.Equal(t, "b", named(t, tx, "b").Key())
		})
		mustView(t, e, nil, func(tx *Tx) {
			runs++
			require.Equal(t, 1, named(t, tx, "a").Len())
			require.Zero(t, named(t, tx, "none").Len())
			require.Equal(t, 2, named(t, tx, "b").Len())
		})
		require.Equal(t, 2, runs)
		keys, err := e.Keys("")
		require.NoError(t, err)
		require.Equal(t, []string{"a", "b"}, keys, "to ask for a set does not make it")
		st, err := e.Stats()
		require.NoError(t, err)
		require.Zero(t, st.Restarts)
		require.ErrorIs(t, e.Update(t.Context(), func(tx *Tx) error {
			add(t, tx, "c", "x", 1)
			add(t, tx, "a", "z", 1)
			return errScript
		}), errScript)
		mustView(t, e, []string{"a"}, func(tx *Tx) {
			require.Equal(t, 1, named(t, tx, "a").Len(), "rolled back")
			require.Zero(t, named(t, tx, "c").Len())
		})
		require.Panics(t, func() {
			_ = e.Update(t.Context(), func(tx *Tx) error { add(t, tx, "a", "z", 1); panic("in the closure") })
		})
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { require.Equal(t, 1, named(t, tx, "a").Len(), "and unlocked") })
	})
}

// withLocked runs fn while another goroutine has a key locked, and unlocks it when fn calls free.
func withLocked(t *testing.T, e *Engine, key string, write bool, fn func(free func())) {
	t.Helper()
	locked, unlock, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	call := e.View
	if write {
		call = e.Update
	}
	go func() {
		defer close(done)
		_ = call(context.Background(), func(*Tx) error { close(locked); <-unlock; return nil }, key)
	}()
	<-locked
	free := sync.OnceFunc(func() { close(unlock) })
	defer func() { free(); <-done }()
	fn(free)
}

// restarter is a closure that uses a set of its own, and then one that may not be free.
type restarter struct {
	t     *testing.T
	runs  int
	first *Tx   // of the first run
	end   error // what it returns when b is not free
}

func (r *restarter) run(tx *Tx) error {
	t := r.t
	if r.runs++; r.runs == 1 {
		r.first = tx
	}
	require.NoError(t, tx.Put(fmt.Sprint("run ", r.runs), nil))
	add(t, tx, "m", fmt.Sprint(r.runs), 1)
	add(t, tx, fmt.Sprint("n", r.runs), "x", 1)
	s, err := tx.Set("b")
	if err == nil {
		_, err = s.Add([]byte("x"), 1)
		return err
	}
	require.ErrorIs(t, err, ErrRestart)
	_, err = tx.Set("m")
	require.ErrorIs(t, err, ErrRestart, "nothing works any more")
	_, _, err = tx.Get("coins")
	require.ErrorIs(t, err, ErrRestart)
	require.ErrorIs(t, tx.Put("coins", nil), ErrRestart)
	return r.end
}

// TestRestart: a closure that asks for a set that is not free runs again, with that set locked. Nothing of its first run is left, whatever it does with the error.
func TestRestart(t *testing.T) {
	for _, end := range []error{nil, errScript} {
		synctest.Test(t, func(t *testing.T) {
			e := mustOpen(t, memfs.New(), Options{})
			r := &restarter{t: t, end: end}
			withLocked(t, e, "b", true, func(free func()) {
				ended := false
				go func() {
					defer func() { ended = true }()
					require.NoError(t, e.Update(t.Context(), r.run, "m"))
				}()
				synctest.Wait()
				require.Equal(t, 1, r.runs)
				require.False(t, ended)
				mustUpdate(t, e, []string{"m"}, func(tx *Tx) {
					require.Zero(t, named(t, tx, "m").Len(), "b comes first, so nothing is locked while it waits for that")
				})
				free()
				synctest.Wait()
				require.True(t, ended)
				require.Equal(t, 2, r.runs)
				_, err := r.first.Set("m")
				require.ErrorIs(t, err, ErrTxDone)
			})
			mustView(t, e, nil, func(tx *Tx) {
				require.Equal(t, []int{1, 0, 1, 1}, []int{named(t, tx, "m").Len(), named(t, tx, "n1").Len(), named(t, tx, "n2").Len(), named(t, tx, "b").Len()})
				_, ok, err := tx.Get("run 1")
				require.NoError(t, err)
				require.False(t, ok)
				_, ok, err = tx.Get("run 2")
				require.NoError(t, err)
				require.True(t, ok)
			})
			st, err := e.Stats()
			require.NoError(t, err)
			require.EqualValues(t, 1, st.Restarts)
			require.Zero(t, st.RolledBack)
			require.NoError(t, e.Close())
		})
	}
}

// TestWaitsInOrder: a closure that asks for a set that is not free, and comes after all that it has, waits for it: it runs once. It does not wait once it
// has a private key, whose lock comes last. The end of its context ends the wait, and nothing has changed.
func TestWaitsInOrder(t *testing.T) {
	for name, row := range map[string]struct {
		private, cancel bool
		runs            int
		want            error
	}{"later": {runs: 1}, "private": {private: true, runs: 2}, "cancelled": {cancel: true, runs: 1, want: context.Canceled}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := mustOpen(t, memfs.New(), Options{})
				runs := 0
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				update := func(tx *Tx) error {
					runs++
					add(t, tx, "m", "x", 1)
					if row.private {
						require.NoError(t, tx.Put("coins", nil))
					}
					s, err := tx.Set("n")
					if err == nil {
						_, err = s.Add([]byte("x"), 1)
					}
					return err
				}
				withLocked(t, e, "n", true, func(free func()) {
					done := make(chan error, 1)
					go func() { done <- e.Update(ctx, update) }()
					synctest.Wait()
					require.Equal(t, 1, runs)
					require.Empty(t, done)
					if row.cancel {
						cancel()
						synctest.Wait()
					}
					free()
					require.ErrorIs(t, <-done, row.want)
				})
				require.Equal(t, row.runs, runs)
				n := 1
				if row.cancel {
					n = 0
				}
				mustView(t, e, []string{"m", "n"}, func(tx *Tx) {
					require.Equal(t, n, named(t, tx, "m").Len())
					require.Equal(t, n, named(t, tx, "n").Len())
				})
				require.NoError(t, e.Close())
			})
		})
	}
}

// TestRestartOfView: a View locks for reading: it does not wait for readers, and waits for a writer without a lock of its own.
func TestRestartOfView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := mustOpen(t, memfs.New(), Options{})
		mustUpdate(t, e, nil, func(tx *Tx) {
			for _, key := range []string{"a", "b", "c"} {
				add(t, tx, key, "y", 1)
			}
		})
		runs := 0
		read := func() error {
			return e.View(t.Context(), func(tx *Tx) error {
				runs++
				for _, key := range []string{"c", "a", "b"} {
					if _, err := tx.Set(key); err != nil {
						return err
					}
				}
				return nil
			})
		}
		withLocked(t, e, "a", false, func(free func()) {
			require.NoError(t, read())
			require.Equal(t, 1, runs)
			free()
		})
		withLocked(t, e, "a", true, func(free func()) {
			ended := false
			go func() { defer func() { ended = true }(); require.NoError(t, read()) }()
			synctest.Wait()
			require.False(t, ended)
			mustUpdate(t, e, []string{"c"}, func(tx *Tx) { add(t, tx, "c", "x", 1) })
			free()
			synctest.Wait()
			require.True(t, ended)
			require.Equal(t, 3, runs)
		})
		require.NoError(t, e.Close())
	})
}

// TestRestartForDisk: a set that is on the disk only is read while nothing is locked; one that has expired is none.
func TestRestartForDisk(t *testing.T) {
	fs, now := memfs.New(), atomic.Int64{} // seconds
	now.Store(scriptsBegin)
	o := Options{Clock: func() time.Time { return time.Unix(now.Load(), 0) }}
	e := mustOpen(t, fs, o)
	const sets = maxRuns + 10
	mustUpdate(t, e, nil, func(tx *Tx) {
		for i := range sets {
			add(t, tx, fmt.Sprint(i), "x", 1)
		}
		add(t, tx, "short", "x", 1)
		_, err := named(t, tx, "short").ExpireIn(time.Second)
		require.NoError(t, err)
	})
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, o)
	now.Add(3600)
	runs := 0
	mustUpdate(t, e, nil, func(tx *Tx) {
		runs++
		require.Zero(t, named(t, tx, "short").Len())
		if s, err := tx.Set("7"); err == nil {
			require.Equal(t, 1, s.Len())
			_, err = s.Add([]byte("y"), 1)
			require.NoError(t, err)
		}
	})
	require.Equal(t, 2, runs)
	mustView(t, e, nil, func(tx *Tx) {
		require.Equal(t, 2, named(t, tx, "7").Len())
		if s, err := tx.Set("8"); err == nil {
			require.Equal(t, 1, s.Len())
		}
	})
	require.NoError(t, e.Unload("7", "8"))
	runs = 0
	err := e.Update(t.Context(), func(tx *Tx) error { // another set each time
		runs++
		_, err := tx.Set(fmt.Sprint(runs + 8))
		return err
	})
	require.ErrorIs(t, err, ErrConflict)
	require.ErrorContains(t, err, `restarted 100 times, at last since "108" is not free`)
	require.Equal(t, maxRuns, runs)
	require.NoError(t, e.Close())
}

// TestRestartWhenClosed: a transaction that waits to run again ends with the engine.
func TestRestartWhenClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := mustOpen(t, memfs.New(), Options{})
		withLocked(t, e, "b", true, func(free func()) {
			var err error
			go func() { err = e.Update(t.Context(), func(tx *Tx) error { _, err := tx.Set("b"); return err }) }()
			synctest.Wait()
			go func() { require.NoError(t, e.Close()) }()
			synctest.Wait()
			free()
			synctest.Wait()
			if err != nil {
				require.ErrorIs(t, err, ErrClosed)
			}
		})
	})
}

// eachSet calls fn with the sets whose keys are these numbers, in this order.
func eachSet(tx *Tx, order []int, fn func(s *Set, i int) error) error {
	for _, i := range order {
		s, err := tx.Set(fmt.Sprint(i))
		if err == nil {
			err = fn(s, i)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// movePoints moves points from some sets to the first.
func movePoints(e *Engine, hint []string, order []int, take float64) error {
	return e.Update(context.Background(), func(tx *Tx) error {
		return eachSet(tx, order, func(s *Set, i int) error {
			n := -take
			if i == order[0] {
				n = take * float64(len(order)-1)
			}
			_, err := s.IncrBy([]byte("points"), n)
			return err
		})
	}, hint...)
}

// allPoints adds the points of sets up.
func allPoints(e *Engine, hint []string, order []int) (sum float64, err error) {
	err = e.View(context.Background(), func(tx *Tx) error {
		sum = 0
		return eachSet(tx, order, func(s *Set, _ int) error {
			n, _ := s.Score([]byte("points"))
			sum += n
			return nil
		})
	}, hint...)
	return sum, err
}

// TestTransfersOnDemand: goroutines move points between sets that they ask for in any order, name or do not name, while others read all sets. None is lost or seen twice,
// and none waits for ever.
func TestTransfersOnDemand(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		const sets, total = 6, 600
		for i := range sets {
			mustUpdate(t, e, nil, func(tx *Tx) { add(t, tx, fmt.Sprint(i), "points", total/sets) })
		}
		var wg sync.WaitGroup
		for g := range 16 {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(g), 48))
				for range times(400) {
					order := rng.Perm(sets)
					var hint []string
					for _, i := range order[:rng.IntN(2)] {
						hint = append(hint, fmt.Sprint(i))
					}
					if g%4 != 0 {
						if err := movePoints(e, hint, order[:2+rng.IntN(2)], float64(rng.IntN(9))); err != nil {
							t.Error(err)
						}
					} else if sum, err := allPoints(e, hint, order); err != nil || sum != total {
						t.Errorf("%v, sum %v", err, sum)
					}
				}
			})
		}
		wg.Wait()
		st, err := e.Stats()
		require.NoError(t, err)
		t.Logf("%d commits, %d restarts", st.Commits, st.Restarts)
	})
}

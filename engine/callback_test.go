package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
)

var errCallback = errors.New("the callback's own")

// endings are the ways in which a closure can end without a commit.
var endings = map[string]func(tx *Tx) error{
	"error":  func(*Tx) error { return errCallback },
	"panic":  func(*Tx) error { panic(errCallback) },
	"goexit": func(*Tx) error { runtime.Goexit(); return nil }, // as t.FailNow does
	"panic in a walk over private keys": func(tx *Tx) error {
		for range tx.Scan("") {
			panic(errCallback)
		}
		return nil
	},
	"nil pointer": func(*Tx) error { var s *Set; _, _ = s.Add(nil, 0); return nil },
}

// ended runs a call in a new goroutine and returns how it ended: with an error, a panic or runtime.Goexit.
func ended(call func() error) (how string) {
	done := make(chan string, 1)
	go func() {
		how := "goexit"
		defer func() { done <- how }()
		defer func() {
			if p := recover(); p != nil {
				how = fmt.Sprint("panic: ", p)
			}
		}()
		how = fmt.Sprint(call())
	}()
	return <-done
}

// callbacks ends transactions in every way of endings, and checks that they leave no change, no commit and no lock.
func callbacks(e *Engine) (n int, err error) {
	ctx := context.Background()
	keys := []string{"a", "b"}
	err = e.Update(ctx, func(tx *Tx) error {
		a, err := tx.Set("a")
		if err == nil {
			_, err = a.Add([]byte("x"), 1)
		}
		return errors.Join(err, tx.Put("k", []byte("v")))
	}, keys...)
	before, stateErr := stateOf(e)
	if err = errors.Join(err, stateErr); err != nil {
		return 0, err
	}
	for name, end := range endings {
		changed := func(tx *Tx) error {
			for _, key := range keys {
				s, err := tx.Set(key)
				if err == nil {
					_, err = s.IncrBy([]byte("x"), 5)
				}
				if err != nil {
					return err
				}
			}
			return errors.Join(tx.Put("k", []byte("other")), tx.Put("k2", nil), end(tx))
		}
		transactions := []func() error{func() error { return e.Update(ctx, changed, keys...) }, func() error { return e.View(ctx, end, keys...) }}
		for _, run := range transactions {
			if how := ended(run); how == "<nil>" {
				return n, fmt.Errorf("%s: the call says that all is well", name)
			}
			after, err := stateOf(e) // hangs if a lock is held
			if err == nil && after.String() != before.String() {
				err = fmt.Errorf("state is %v, was %v", after, before)
			}
			if err != nil {
				return n, fmt.Errorf("%s: %w", name, err)
			}
			n++
		}
	}
	return n, nil
}

// TestRow41Callbacks: a closure that fails, panics or ends its goroutine leaves nothing behind, and the caller gets its error or panic. A
// closure that blocks blocks only calls that need its sets, Snapshot among them; Close does not wait for it.
func TestRow41Callbacks(t *testing.T) {
	n := 0
	onBoth(t, func(t *testing.T, e *Engine) {
		done, err := callbacks(e)
		require.NoError(t, err)
		n += done
		require.PanicsWithValue(t, errCallback, func() { _ = e.View(t.Context(), endings["panic"], "a") })
		require.PanicsWithValue(t, errCallback, func() { _ = e.Update(t.Context(), endings["panic"], "a") })
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Close())
	})
	synctest.Test(t, blockedCallback)
	matrix.Row(t, 41, "%d closures that failed, panicked or ended their goroutine: 0 changes, 0 locks left; one that blocks: others go on, Close returns, it gets ErrClosed", n)
}

// blockedCallback blocks in a closure on set a: set b, Flush and Close do not wait for it, and its commit fails with ErrClosed.
func blockedCallback(t *testing.T) {
	fs := memfs.New()
	e := mustOpen(t, fs, Options{})
	mustUpdate(t, e, []string{"a", "b"}, func(tx *Tx) { add(t, tx, "a", "x", 1); add(t, tx, "b", "x", 1) })
	hold, result, held := make(chan struct{}), make(chan error, 1), make(chan struct{})
	go func() {
		result <- e.Update(t.Context(), func(tx *Tx) error {
			close(held)
			<-hold
			s, err := tx.Set("a")
			if err == nil {
				_, err = s.Add([]byte("too late"), 1)
			}
			return err
		}, "a")
	}()
	<-held
	mustUpdate(t, e, []string{"b"}, func(tx *Tx) { add(t, tx, "b", "y", 1) })
	mustView(t, e, []string{"b"}, func(tx *Tx) { require.Equal(t, 2, named(t, tx, "b").Len()) })
	require.NoError(t, e.Flush())
	require.NoError(t, e.Close())
	close(hold)
	require.ErrorIs(t, <-result, ErrClosed)
	e = mustOpen(t, fs, Options{})
	mustView(t, e, []string{"a"}, func(tx *Tx) { require.Equal(t, 1, named(t, tx, "a").Len()) })
	require.NoError(t, e.Close())
}

// TestCallsBackIn: a closure may wait for other goroutines as long as those do not need its sets or the private keys.
func TestCallsBackIn(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		var wg sync.WaitGroup
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
			add(t, tx, "a", "x", 1)
			wg.Go(func() { mustUpdate(t, e, []string{"b"}, func(tx *Tx) { add(t, tx, "b", "x", 1) }) })
			wg.Wait()
		})
		mustView(t, e, []string{"a", "b"}, func(tx *Tx) {
			require.Equal(t, 2, named(t, tx, "a").Len()+named(t, tx, "b").Len())
		})
	})
}

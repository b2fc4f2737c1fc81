package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
)

var errGoneHome = errors.New("gone home")

// TestContextEnded: a call whose context has ended returns the cause, and its closure does not run.
func TestContextEnded(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	defer e.Close()
	mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errGoneHome)
	never := func(*Tx) error { t.Error("it ran"); return nil }
	_, later := e.UpdateLater(ctx, never, "a")
	_, exists := e.Exists(ctx, "a")
	_, deleted := e.Delete(ctx, "a")
	for name, err := range map[string]error{"Update": e.Update(ctx, never, "a"), "View": e.View(ctx, never), "UpdateLater": later, "Exists": exists, "Delete": deleted,
		"Rename": e.Rename(ctx, "a", "b")} {
		require.ErrorIs(t, err, errGoneHome, name)
	}
	mustView(t, e, []string{"a"}, func(tx *Tx) { require.Equal(t, 1, named(t, tx, "a").Len()) })
}

// contextWaits are calls that wait for the lock of the set "a", or of the private keys.
func contextWaits(t *testing.T) map[string]func(ctx context.Context, e *Engine) error {
	return map[string]func(ctx context.Context, e *Engine) error{
		"update": func(ctx context.Context, e *Engine) error {
			return e.Update(ctx, func(tx *Tx) error { add(t, tx, "a", "y", 2); return nil }, "0", "a", "b")
		},
		"view": func(ctx context.Context, e *Engine) error {
			return e.View(ctx, func(*Tx) error { return nil }, "a", "b")
		},
		"on demand": func(ctx context.Context, e *Engine) error {
			return e.Update(ctx, func(tx *Tx) error { _, err := tx.Set("a"); return err })
		},
		"brief": func(ctx context.Context, e *Engine) error {
			tx, err := e.m.beginViewOf(ctx, "a", true)
			if err == nil {
				e.m.endView(tx)
			}
			return err
		},
		"private": func(ctx context.Context, e *Engine) error {
			return e.Update(ctx, func(tx *Tx) error {
				add(t, tx, "other", "y", 2)
				return tx.Put("key", []byte("y"))
			})
		},
	}
}

// TestContextEndsTheWait: a call that waits for the lock of a set, or of the private keys, returns when its context ends, while the other transaction still runs.
// Nothing has changed, no set is left over, and the locks are free afterwards.
func TestContextEndsTheWait(t *testing.T) {
	for how, wait := range contextWaits(t) {
		for name, o := range map[string]Options{how: {}, how + ", observed": {SlowCall: time.Hour, OnEvent: func(Event) {}}} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { endTheWait(t, o, wait) })
			})
		}
	}
}

func endTheWait(t *testing.T, o Options, wait func(ctx context.Context, e *Engine) error) {
	e, err := New(o)
	require.NoError(t, err)
	held, free, over := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		over <- e.Update(context.Background(), func(tx *Tx) error {
			if err := tx.Put("key", []byte("x")); err != nil {
				return err
			}
			close(held)
			<-free
			return nil
		}, "a")
	}()
	<-held
	ctx, cancel := context.WithTimeoutCause(context.Background(), time.Second, errGoneHome)
	defer cancel()
	require.ErrorIs(t, wait(ctx, e), errGoneHome)
	close(free)
	require.NoError(t, <-over)
	n, err := e.Count()
	require.NoError(t, err)
	require.Zero(t, n)
	require.Empty(t, e.keys.All(), "sets without members")
	require.NoError(t, wait(context.Background(), e))
	require.NoError(t, e.Close())
}

// TestUndecided: a context that ends while the commit waits for the disk gives ErrUndecided. Others see the transaction; a power cut undoes it, and the disk makes
// it durable.
func TestUndecided(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem, g := memfs.NewCrashable(), &flushGate{}
		close(g.shut())
		e, err := Open("db", Options{FS: errorfs.Wrap(mem, g), SnapshotBytes: -1, StallTimeout: time.Hour})
		require.NoError(t, err)
		shut := g.shut()
		ctx, cancel := context.WithTimeoutCause(context.Background(), time.Second, errGoneHome)
		defer cancel()
		err = e.Update(ctx, func(tx *Tx) error { add(t, tx, "a", "x", 1); return nil })
		require.ErrorIs(t, err, ErrUndecided)
		require.ErrorIs(t, err, errGoneHome)
		seen := func(e *Engine) (n int) {
			require.NoError(t, e.View(context.Background(), func(tx *Tx) error { n = named(t, tx, "a").Len(); return nil }))
			return n
		}
		require.Equal(t, 1, seen(e))
		cut, err := Open("db", Options{FS: powercut.Clone(mem, 0, 1)})
		require.NoError(t, err)
		require.Zero(t, seen(cut))
		require.NoError(t, cut.Close())
		close(shut)
		require.NoError(t, e.Acknowledge(context.Background(), e.LastSeq()))
		cut, err = Open("db", Options{FS: powercut.Clone(mem, 0, 1)})
		require.NoError(t, err)
		require.Equal(t, 1, seen(cut))
		require.NoError(t, errors.Join(cut.Close(), e.Close()))
	})
}

package ratelimit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/persist"
)

// newMemory returns an engine without a disk.
func newMemory(t testing.TB, w *testclock.Clock) *engine.Engine {
	e, err := engine.New(engine.Options{Clock: w.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

func mustOpen(t testing.TB, fs persist.FS, w *testclock.Clock) *engine.Engine {
	e, err := engine.Open("data", engine.Options{Clock: w.Now, FS: fs})
	require.NoError(t, err)
	return e
}

func mustNew(t testing.TB, e *engine.Engine, name string, limits ...Limit) *Limiter {
	l, err := New(e, Spec{Name: name, Limits: limits})
	require.NoError(t, err)
	return l
}

func mustAllow(t testing.TB, l *Limiter, key string, cost int) Result {
	r, err := l.Allow(t.Context(), key, cost)
	require.NoError(t, err)
	return r
}

func mustPeek(t testing.TB, l *Limiter, key string, cost int) Result {
	r, err := l.Peek(t.Context(), key, cost)
	require.NoError(t, err)
	return r
}

// events returns how many events a key's log holds.
func events(t testing.TB, l *Limiter, key string) (n int) {
	require.NoError(t, l.e.View(t.Context(), func(tx *engine.Tx) error {
		s, err := tx.Set(l.SetKey(key))
		n = s.Len()
		return err
	}, l.SetKey(key)))
	return n
}

// times is n, or less in builds that are slow and short runs.
func times(n int) int {
	if invariants.Enabled || testing.Short() {
		return n / 5
	}
	return n
}

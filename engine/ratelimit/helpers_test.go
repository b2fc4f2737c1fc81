package ratelimit

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/persist"
)

// noon is when the tests begin.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// watch is a clock that stands until it is set.
type watch struct {
	mu sync.Mutex
	t  time.Time
}

func newWatch() *watch { return &watch{t: noon} }

func (w *watch) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.t
}

func (w *watch) add(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.t = w.t.Add(d)
}

func (w *watch) set(t time.Time) { w.add(t.Sub(w.now())) }

// newMemory returns an engine without a disk.
func newMemory(t testing.TB, w *watch) *engine.Engine {
	e, err := engine.New(engine.Options{Clock: w.now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

func mustOpen(t testing.TB, fs persist.FS, w *watch) *engine.Engine {
	e, err := engine.Open("data", engine.Options{Clock: w.now, FS: fs})
	require.NoError(t, err)
	return e
}

func mustNew(t testing.TB, e *engine.Engine, name string, limits ...Limit) *Limiter {
	l, err := New(e, Spec{Name: name, Limits: limits})
	require.NoError(t, err)
	return l
}

func mustAllow(t testing.TB, l *Limiter, key string, cost int) Result {
	r, err := l.Allow(key, cost)
	require.NoError(t, err)
	return r
}

func mustPeek(t testing.TB, l *Limiter, key string, cost int) Result {
	r, err := l.Peek(key, cost)
	require.NoError(t, err)
	return r
}

// events returns how many events a key's log holds.
func events(t testing.TB, l *Limiter, key string) (n int) {
	require.NoError(t, l.e.View([]string{l.SetKey(key)}, func(tx *engine.Tx) error {
		s, err := tx.Set(l.SetKey(key))
		n = s.Len()
		return err
	}))
	return n
}

// times is n, or less in builds that are slow and short runs.
func times(n int) int {
	if invariants.Enabled || testing.Short() {
		return n / 5
	}
	return n
}

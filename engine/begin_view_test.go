package engine

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/persist"
)

// TestBeginView: the View of an Owner reads one set, also one on the disk only, and none that is absent or expired. Calls of the engine are
// refused until EndView, which lets a writer in.
func TestBeginView(t *testing.T) {
	var now atomic.Int64 // seconds
	fs, clock := persist.MemFS(), func() time.Time { return time.Unix(1000+now.Load(), 0) }
	e := mustOpen(t, fs, Options{Clock: clock})
	mustUpdate(t, e, []string{"a", "b"}, func(tx *Tx) {
		add(t, tx, "a", "x", 1)
		add(t, tx, "b", "x", 2)
		_, err := named(t, tx, "b").ExpireIn(time.Second)
		require.NoError(t, err)
	})
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{Clock: clock, lazy: true})
	o := ownerOf(t, e)
	length := func(key string) int {
		tx, err := o.BeginView(t.Context(), key, false)
		require.NoError(t, err)
		defer o.EndView(tx)
		_, err = tx.Set("other")
		require.ErrorIs(t, err, ErrNotNamed)
		require.ErrorIs(t, errorOf(e.Count()), nil)
		require.ErrorIs(t, e.View(t.Context(), idle, key), ErrInTx)
		s := named(t, tx, key)
		_, err = s.Add([]byte("y"), 1)
		require.ErrorIs(t, err, ErrReadOnly)
		return s.Len()
	}
	for range 3 { // the memory of a View is used again
		require.Equal(t, []int{1, 1, 0}, []int{length("a"), length("b"), length("absent")})
	}
	now.Store(60)
	require.Equal(t, []int{1, 0}, []int{length("a"), length("b")})
	_, err := o.BeginView(t.Context(), string(make([]byte, MaxKey+1)), false)
	require.ErrorIs(t, err, ErrKeyTooLong)
	require.NoError(t, setX(e, "a", 7), "the lock is free")
	require.NoError(t, e.Close())
	_, err = o.BeginView(t.Context(), "a", false)
	require.ErrorIs(t, err, ErrClosed)
	_, err = Owner{}.BeginView(t.Context(), "a", false)
	require.ErrorIs(t, err, ErrReserved)
}

// TestBeginViewAllocations: a View of one set in memory allocates nothing.
func TestBeginViewAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	e, err := New(Options{})
	require.NoError(t, err)
	mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
	o := ownerOf(t, e)
	require.Less(t, testing.AllocsPerRun(200, func() {
		tx, err := o.BeginView(t.Context(), "a", false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = tx.Set("a"); err != nil {
			t.Fatal(err)
		}
		o.EndView(tx)
	}), 0.5)
	require.NoError(t, e.Close())
}

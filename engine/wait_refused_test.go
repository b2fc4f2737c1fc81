package engine

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
)

// TestWaitRefused: a call finds an expired set, and cannot drop it because the disk is full. The call returns ErrDiskFull at once, and nothing is popped
// for it later.
func TestWaitRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := memfs.NewCrashable()
		free := func(mb uint64) { setFree(mem, mb) }
		free(1000)
		e := mustOpen(t, mem, Options{lazy: true})
		require.NoError(t, setX(e, "a", 1))
		expireIn(t, e, "a", time.Second)
		free(10)
		_, _, err := e.PopMinWait(t.Context(), "b", "a")
		require.ErrorIs(t, err, ErrDiskFull)
		require.Zero(t, e.m.waiters.N.Load())
		free(1000)
		require.NoError(t, setX(e, "a", 2))
		require.NoError(t, setX(e, "b", 3))
		for i, key := range []string{"a", "b"} {
			_, x, err := e.PopMinWait(t.Context(), key)
			require.NoError(t, err)
			require.Equal(t, float64(2+i), x.Score)
		}
		require.NoError(t, e.Close())
	})
}

// TestWaitForManyKeys: duplicates among very many keys are removed, in less than quadratic time, before the limit of keys is checked.
func TestWaitForManyKeys(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	keys := make([]string, 2*MaxKeys)
	for i := range keys {
		keys[i] = fmt.Sprint("k", i%(MaxKeys+1))
	}
	require.Len(t, inCallersOrder(keys), MaxKeys+1)
	require.Equal(t, []string{"b", "a", "c"}, inCallersOrder([]string{"b", "a", "b", "c", "a"}))
	_, _, err = e.PopMinWait(context.Background(), keys...)
	require.ErrorIs(t, err, ErrTooManyKeys)
	require.Zero(t, e.m.waiters.N.Load())
}

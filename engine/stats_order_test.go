package engine

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/waitqueue"
	"github.com/zrankdb/zrank/persist"
)

// TestStatsWhileWriting: while goroutines commit, DurableSeq is never above LastSeq, and no gauge is below 0.
func TestStatsWhileWriting(t *testing.T) {
	e := mustOpen(t, persist.MemFS(), Options{})
	var stop atomic.Bool
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := 0; !stop.Load(); n++ {
				key := string(rune('a' + i))
				if err := setX(e, key, float64(n)); err != nil {
					panic(err)
				}
				if _, err := e.Delete(t.Context(), key); err != nil {
					panic(err)
				}
			}
		})
	}
	looks := times(3000)
	ahead, below := 0, 0
	for range looks {
		st, err := e.Stats()
		require.NoError(t, err)
		if st.DurableSeq > st.LastSeq {
			ahead++
		}
		if n, _ := e.Count(); n < 0 || st.Sets < 0 || st.Members < 0 || st.Loaded < 0 || st.Layers.Keyspace < 0 {
			below++
		}
	}
	stop.Store(true)
	wg.Wait()
	t.Logf("%d looks, %d commits", looks, e.m.lastSeq())
	require.Zero(t, ahead, "durable before it is there")
	require.Zero(t, below, "fewer than none")
	require.NoError(t, e.Close())
}

// TestServedPopsCount: a pop for a call that waited counts as a transaction in the figures.
func TestServedPopsCount(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	w := &waitqueue.Waiter{Keys: []string{"a"}, N: 1, Answer: make(chan waitqueue.Served, 1)}
	a, err := e.m.popOrEnter(w)
	require.NoError(t, err)
	require.Nil(t, a.Entries)
	require.NoError(t, setX(e, "a", 1))
	require.Len(t, (<-w.Answer).Entries, 1)
	st, err := e.Stats()
	require.NoError(t, err)
	require.EqualValues(t, 2, st.Commits)
	require.EqualValues(t, 2, e.m.lastSeq())
}

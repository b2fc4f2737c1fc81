package engine

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// times is n, or less in builds that check invariants or races, which are slow.
func times(n int) int {
	if invariants.Enabled || testing.Short() {
		return n / 5
	}
	return n
}

// move moves the member from one set to another, which makes and ends sets.
func move(e *Engine, from, to string) error {
	return e.Update([]string{from, to}, func(tx *Tx) error {
		a, err := tx.Set(from)
		if err != nil {
			return err
		}
		b, err := tx.Set(to)
		if err != nil {
			return err
		}
		if removed, err := a.Remove([]byte("ball")); err != nil || !removed {
			return err
		}
		_, err = b.Add([]byte("ball"), 1)
		return err
	})
}

// TestViewOfAbsentSets: a View sees a set that appears and vanishes as part of one whole, also if it was not there when the
// View began: the ball is always in exactly one of the sets.
func TestViewOfAbsentSets(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	keys := []string{"a", "b", "c"}
	require.NoError(t, e.Update(keys[:1], func(tx *Tx) error {
		s, err := tx.Set("a")
		require.NoError(t, err)
		_, err = s.Add([]byte("ball"), 1)
		return err
	}))
	var wg sync.WaitGroup
	var stop atomic.Bool
	for i := range 3 {
		wg.Go(func() {
			for !stop.Load() {
				for j := range 3 {
					if err := move(e, keys[(i+j)%3], keys[(i+j+1)%3]); err != nil {
						panic(err)
					}
				}
			}
		})
	}
	for range times(20000) {
		balls := 0
		require.NoError(t, e.View(keys, func(tx *Tx) error {
			for _, key := range keys {
				s, err := tx.Set(key)
				require.NoError(t, err)
				balls += s.Len()
			}
			return nil
		}))
		require.Equal(t, 1, balls)
	}
	stop.Store(true)
	wg.Wait()
	left := 0
	for i := range e.keys.shards {
		left += len(e.keys.shards[i].sets)
	}
	require.Equal(t, 1, left, "sets that do not exist leave the keyspace")
}

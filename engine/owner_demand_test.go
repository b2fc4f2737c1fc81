package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOwnerLocksOnDemand: a transaction of an Owner locks reserved keys that it has not named, and one of the program's does inside of Owner.In only.
func TestOwnerLocksOnDemand(t *testing.T) {
	e := reserve(t)
	o := ownerOf(t, e.Engine)
	add := func(tx *Tx) error {
		s, err := tx.IntSet(ranked, Form{})
		if err == nil {
			_, err = s.Add([]byte("z"), 3)
		}
		return err
	}
	require.NoError(t, o.Update(t.Context(), nil, add))
	require.ErrorIs(t, e.Update(t.Context(), add), ErrNotNamed)
	require.NoError(t, e.Update(t.Context(), func(tx *Tx) error { return o.In(tx, func() error { return add(tx) }) }))
	require.NoError(t, e.View(t.Context(), func(tx *Tx) error {
		if _, err := tx.IntSet(ranked, Form{}); err == nil {
			t.Error("a View of the program's has locked a reserved key")
		}
		return o.In(tx, func() error {
			s, err := tx.IntSet(ranked, Form{})
			if err == nil {
				require.Equal(t, 3, s.Len())
			}
			return err
		})
	}))
}

// TestOwnerRestarts: a transaction of an Owner that asks for a set out of order, which is not free, runs once more, with that set locked.
func TestOwnerRestarts(t *testing.T) {
	e := reserve(t)
	o := ownerOf(t, e.Engine)
	locked, unlock, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- e.View(t.Context(), func(*Tx) error { close(locked); <-unlock; return nil }, ranked)
	}()
	<-locked
	runs := 0
	require.NoError(t, o.Update(t.Context(), nil, func(tx *Tx) error {
		runs++
		if _, err := tx.Set(old); err != nil {
			return err
		}
		s, err := tx.IntSet(ranked, Form{}) // its key comes before the other one
		if runs == 1 {
			require.ErrorIs(t, err, ErrRestart)
			close(unlock)
			return nil // whatever the closure returns
		}
		require.NoError(t, err)
		_, err = s.Add([]byte("z"), 3)
		return err
	}))
	require.NoError(t, <-done)
	require.Equal(t, 2, runs)
}

// TestOwnerOnDemandAllocates: a transaction of an Owner that names no keys allocates no more than one that names them.
func TestOwnerOnDemandAllocates(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	o := ownerOf(t, e)
	keys := []string{"board/a", "board/b", "board/c"}
	update := func(named []string) float64 {
		return testing.AllocsPerRun(200, func() {
			require.NoError(t, o.Update(t.Context(), named, func(tx *Tx) error {
				for i, key := range keys {
					s, err := tx.IntSet(key, Form{})
					if err != nil {
						return err
					}
					if _, err := s.Add([]byte("x"), int64(i)); err != nil {
						return err
					}
				}
				return nil
			}))
		})
	}
	named := update(keys)
	require.LessOrEqual(t, update(keys[:1]), named)
	require.LessOrEqual(t, update(nil), named)
}

package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSettings(t *testing.T) {
	e, err := New(Options{MemoryLimit: 5 << 20, MaxSets: 7})
	require.NoError(t, err)
	require.Equal(t, Settings{Durability: Sync, MemoryLimit: 5 << 20, MaxSets: 7}, e.Settings())
	require.NoError(t, e.Close())
	e, err = Open(t.TempDir(), Options{Durability: Interval})
	require.NoError(t, err)
	require.Equal(t, Settings{Stored: true, Durability: Interval}, e.Settings())
	require.NoError(t, e.Close())
}

// TestStatsCountExpiries: Stats.Expiring counts the sets with an expiry, while sets get one, lose it, are renamed and are dropped.
func TestStatsCountExpiries(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	defer e.Close()
	expiring := func() int {
		st, err := e.Stats()
		require.NoError(t, err)
		return st.Expiring
	}
	for _, key := range []string{"a", "b", "c"} {
		require.NoError(t, e.Update(t.Context(), func(tx *Tx) error {
			s, err := tx.Set(key)
			require.NoError(t, err)
			_, err = s.Add([]byte("m"), 1)
			return err
		}, key))
		_, err := e.ExpireIn(t.Context(), key, time.Hour)
		require.NoError(t, err)
	}
	require.Equal(t, 3, expiring())
	_, err = e.Persist(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, 2, expiring())
	require.NoError(t, e.Rename(t.Context(), "b", "d"))
	require.Equal(t, 2, expiring())
	_, err = e.Delete(t.Context(), "c", "d")
	require.NoError(t, err)
	require.Equal(t, 0, expiring())
}

package engine

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSnapshotOfAYoungStore: after Open the memtables of Pebble are small, and Pebble flushes them only when together they are half as big as
// a full one. A snapshot must not wait for that, and Close must not wait for such a snapshot.
func TestSnapshotOfAYoungStore(t *testing.T) {
	for _, n := range []int{20_000, 40_000, 60_000} {
		e, err := Open(t.TempDir(), Options{SnapshotAge: -1, Durability: None})
		require.NoError(t, err)
		for lo := 0; lo < n; lo += 1000 {
			require.NoError(t, e.Update(t.Context(), func(tx *Tx) error {
				s := named(t, tx, "k")
				for i := lo; i < lo+1000; i++ {
					if _, err := s.Add(fmt.Appendf(nil, "member-%013d", i), 1); err != nil {
						return err
					}
				}
				return nil
			}, "k"))
		}
		t.Logf("%d members", n)
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Close())
	}
}

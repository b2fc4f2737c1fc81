package engine

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
)

// TestRenamedAndEmptied: a set that gets another key and loses its last member in one transaction leaves nothing behind.
func TestRenamedAndEmptied(t *testing.T) {
	e := mustOpen(t, persist.MemFS(), Options{})
	mustUpdate(t, e, []string{"short", "much longer"}, func(tx *Tx) { add(t, tx, "short", "x", 1) })
	mustUpdate(t, e, []string{"short", "much longer"}, func(tx *Tx) {
		require.NoError(t, tx.Rename("short", "much longer"))
		_, err := named(t, tx, "much longer").Remove([]byte("x"))
		require.NoError(t, err)
	})
	require.Zero(t, e.counters.Total(func(s *observe.Stripe) *atomic.Int64 { return &s.Keys }), "bytes of keys")
	require.NoError(t, inOrderInside(e))
	mustUpdate(t, e, []string{"short"}, func(tx *Tx) { require.Equal(t, "short", named(t, tx, "short").ID()) })
	require.NoError(t, e.Close())
}

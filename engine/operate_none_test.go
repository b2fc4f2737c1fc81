package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/zset"
)

// TestOperateOnNothing: operations on no keys have no members, and those that store them leave no set.
func TestOperateOnNothing(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	how, ctx := zset.Combine[float64]{}, t.Context()
	for _, store := range []func() (int, error){
		func() (int, error) { return e.UnionStore(ctx, "d", how) },
		func() (int, error) { return e.InterStore(ctx, "d", how) },
	} {
		require.NoError(t, setX(e, "d", 1))
		n, err := store()
		require.NoError(t, err)
		require.Zero(t, n)
		counts(t, e, 0)
	}
	z, err := e.Union(ctx, how)
	require.NoError(t, err)
	require.Zero(t, z.Len())
	z, err = e.Inter(ctx, how)
	require.NoError(t, err)
	require.Zero(t, z.Len())
	n, err := e.InterCard(ctx, 0)
	require.NoError(t, err)
	require.Zero(t, n)
}

package cluster

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// TestPinOutlivesContext: a pinned ranking is read, with metadata, after the context of Pin has ended.
func TestPinOutlivesContext(t *testing.T) {
	bs, err := Dial("redis://"+start(t, 1).one(), Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = bs.Close() })
	b, err := bs.Define(t.Context(), board.Spec{Name: "arena", MaxMeta: 16})
	require.NoError(t, err)
	_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(3), Meta: []byte("hat")})
	require.NoError(t, err)
	live, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	pinned, err := live.Pin(ctx)
	require.NoError(t, err)
	cancel()
	rows, err := pinned.Top(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, "hat", string(rows[0].Meta))
}

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
	b, err := bs.Define(board.Spec{Name: "arena", MaxMeta: 16})
	require.NoError(t, err)
	_, err = b.Submit(board.Submission{Member: "ada", Score: board.Ints(3), Meta: []byte("hat")})
	require.NoError(t, err)
	live, err := b.Live("all")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	pinned, err := live.Pin(ctx)
	require.NoError(t, err)
	cancel()
	rows, err := pinned.Top(1)
	require.NoError(t, err)
	require.Equal(t, "hat", string(rows[0].Meta))
}

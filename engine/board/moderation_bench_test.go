package board

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/board/window"
)

// BenchmarkMember reads the history of a member of 1,000 closed days.
func BenchmarkMember(b *testing.B) {
	g := newGame(b, true)
	x := g.define(Spec{Name: "arena", Op: Sum, Windows: []Window{{Kind: window.Day}}})
	for range 1000 {
		for i := range 20 {
			g.score(x, fmt.Sprint("m", i), int64(i))
		}
		g.clock.Add(24 * time.Hour)
		g.closeDue(1)
	}
	g.index()
	require.NoError(b, g.e.Snapshot())
	_, err := g.e.Compact(context.Background(), nil)
	require.NoError(b, err)
	for b.Loop() {
		m, err := x.Member("m7")
		require.NoError(b, err)
		require.Len(b, m.Windows[0].Places, 1000)
	}
}

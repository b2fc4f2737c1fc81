package local

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/engine"
)

// BenchmarkFeedFilter reads a feed whose filter no event passes; the figure is that of an event.
func BenchmarkFeedFilter(b *testing.B) {
	g := newGame(b, false, func(g *game) { g.o = engine.Options{FeedBytes: 1 << 30} })
	arena := g.define(board.Spec{Name: "arena", Op: board.Last, Feed: &board.Feed{}})
	const events = 100_000
	for i := range events {
		g.score(arena, fmt.Sprint("player ", i%5000), int64(i*7919%100_003))
	}
	filter := feed.Filter{Boards: []string{"arena"}, Members: []string{"nobody"}, Kinds: []feed.Kind{feed.Overtaken, feed.Submitted}}
	b.ResetTimer()
	for i := 0; i < b.N; i += events {
		for _, err := range g.bs.Events(context.Background(), feed.Position{}, filter) {
			require.NoError(b, err)
		}
	}
}

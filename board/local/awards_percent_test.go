package local

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
)

// TestPercentIsOfMembers: the best percent is so many members in every mode, but for equals across its edge: all of them are in it with Competition and Dense, none with
// Modified. Members that get nothing do not count.
func TestPercentIsOfMembers(t *testing.T) {
	for mode, want := range map[board.Mode][2]int{board.Ordinal: {4, 3}, board.Competition: {5, 4}, board.Modified: {0, 0}, board.Dense: {5, 4}} {
		t.Run(mode.String(), func(t *testing.T) {
			g := newGame(t, false)
			b := g.define(board.Spec{Name: "arena", Windows: []board.Window{{Kind: window.Day}},
				Awards: []awards.Plan{{Window: "day", Mode: mode, Claim: true, Tiers: []awards.Tier{{Name: "best", Percent: 10}, {Name: "played", Everyone: true}}}}})
			var scores []int64
			for i := range 40 {
				scores = append(scores, int64(100-i/5)) // 8 scores of 5 members each
			}
			g.play(b, scores...)
			g.settle()
			best := func() (n int) {
				for a, err := range b.Awards(t.Context(), "day", "2026-11-20") {
					require.NoError(t, err)
					if a.Tier == "best" {
						n++
					}
				}
				return n
			}
			require.Equal(t, want[0], best())
			_, err := b.Resettle(context.Background(), "day", "2026-11-20", awards.Resettlement{Without: []string{"m2"}})
			require.NoError(t, err)
			require.Equal(t, want[1], best())
		})
	}
}

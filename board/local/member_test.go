package local

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// TestMemberOfMany: the index has every member of a closed period with many, which it writes in several commits, and a ban takes one out of the middle.
func TestMemberOfMany(t *testing.T) { moderateMany(t) }

func moderateMany(t testing.TB) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{{Kind: window.Day}}})
	const members = 600
	subs := make([]board.Submission, members)
	for i := range subs {
		subs[i] = board.Submission{Member: fmt.Sprint("m", i), Score: board.Ints(int64(i))}
	}
	_, err := b.SubmitAll(t.Context(), subs)
	require.NoError(t, err)
	g.clock.Add(24 * time.Hour)
	g.closeDue(1)
	g.index()
	ranks := func(gone int) {
		for i := range members {
			m, err := b.Member(t.Context(), fmt.Sprint("m", i))
			require.NoError(t, err)
			if places := m.Windows[0].Places; i == gone {
				require.Empty(t, places)
			} else {
				require.Len(t, places, 1, "m%d", i)
				want := members - i
				if i < gone {
					want--
				}
				require.Equal(t, want, places[0].Rank)
				require.Equal(t, places[0], m.Windows[0].BestRank)
			}
		}
	}
	ranks(-1)
	did, err := b.Ban(context.Background(), "m300", ops)
	require.NoError(t, err)
	require.Equal(t, 300, did.Places[0].Rank)
	require.Equal(t, 300, did.Places[0].Moved)
	ranks(300)
	report, err := g.bs.Check(context.Background(), nil)
	require.NoError(t, err)
	require.Empty(t, report.Problems)
}

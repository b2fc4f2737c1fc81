package local

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// TestHideRace: submissions of a member that is hidden and shown meanwhile all count, and it ends where its score puts it.
func TestHideRace(t *testing.T) {
	for name, spec := range map[string]board.Spec{"one": {}, "parts": {Parts: 2}, "top": {Top: &board.Top{N: 2, Reserve: 1}}, "growing": {PartMembers: 8}} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, false)
			spec.Name, spec.Op, spec.Windows = "arena", board.Sum, []board.Window{board.Day, board.All}
			b := g.define(spec)
			const rounds, each = 30, 100
			var all sync.WaitGroup
			for _, member := range []string{"ada", "ada", "bob", "cy", "dan"} {
				all.Go(func() {
					for range each {
						_, err := b.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(1)})
						if err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Go(func() {
				for range rounds {
					_, err := b.Hide(context.Background(), "ada", ops)
					if err == nil {
						_, err = b.Show(context.Background(), "ada", ops)
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
			all.Wait()
			for _, window := range []string{"day", "all"} {
				r, err := b.Live(t.Context(), window)
				require.NoError(t, err)
				row, ok, err := r.Rank(t.Context(), "ada")
				require.NoError(t, err)
				require.True(t, ok)
				require.Equal(t, board.Ints(2*each), row.Score)
				require.Equal(t, 1, row.Rank)
			}
		})
	}
}

package local

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// TestMemberWhileClosing looks at a member while its periods are closed one after the other: none is missing at any moment, and none is there twice.
func TestMemberWhileClosing(t *testing.T) {
	const days = 60
	g := newGame(t, false)
	b := g.define(board.Spec{Name: "arena", Windows: []board.Window{board.Day}})
	var played atomic.Int64
	ended := make(chan error, 1)
	go func() {
		for range days {
			if _, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)}); err != nil {
				ended <- err
				return
			}
			played.Add(1)
			g.clock.Add(24 * time.Hour)
			if _, err := g.bs.CloseDue(t.Context()); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	for done := false; !done; {
		select {
		case err := <-ended:
			require.NoError(t, err)
			done = true
		default:
		}
		least := int(played.Load())
		m, err := b.Member(t.Context(), "ada")
		require.NoError(t, err)
		seen := map[string]bool{}
		for _, p := range m.Windows[0].Places {
			require.False(t, seen[p.Period], "%s is there twice", p.Period)
			seen[p.Period] = true
		}
		require.GreaterOrEqual(t, len(seen), least)
	}
}

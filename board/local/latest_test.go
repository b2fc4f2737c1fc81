package local

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// TestLatest: the latest period with members, closed or not, before and after a reopen; ErrNoPeriod while nobody has scored, or once all have
// been removed.
func TestLatest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true)
		b := g.define(keeping(2))
		requireLatest := func(want string) {
			t.Helper()
			for range 2 {
				r, err := g.board("arena").Latest(t.Context(), "day")
				require.NoError(t, err)
				require.Equal(t, want, infoOf(r).Period)
				all, err := g.board("arena").Periods(t.Context(), "day")
				require.NoError(t, err)
				require.Equal(t, want, all[len(all)-1].Period)
				g.reopen()
			}
			b = g.board("arena")
		}
		_, err := b.Latest(t.Context(), "day")
		require.ErrorIs(t, err, board.ErrNoPeriod)
		_, err = b.Latest(t.Context(), "week")
		require.ErrorIs(t, err, board.ErrNoWindow)
		play(g, b, 3)
		requireLatest("2026-11-22")
		g.jump(48 * time.Hour)
		g.closeDue(0)
		requireLatest("2026-11-22")
		_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
		require.NoError(t, err)
		requireLatest("2026-11-25")
		_, err = b.Remove(t.Context(), "ada")
		require.NoError(t, err)
		requireLatest("2026-11-22")
	})
}

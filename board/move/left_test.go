package move

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/testclock"
)

// operator is what both kinds of boards have for an operator.
type operator interface {
	Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	SaveBaseline(ctx context.Context, window, name string) error
}

// TestOperatorMeanwhile: a baseline that is saved while a board moves would be left behind, so the move ends, and the board is where it was. One that may leave something behind
// says so, and takes a ban along that is made meanwhile.
func TestOperatorMeanwhile(t *testing.T) {
	client := server(t)
	clock := testclock.New()
	for _, back := range []bool{false, true} {
		from, to := site(newPlace(t, clock)), site(newServers(t, client, clock, 2))
		if back {
			from, to = to, from
		}
		b, err := from.store().Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day}})
		require.NoError(t, err)
		for _, member := range []string{"ada", "bea"} {
			_, err = b.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(1)})
			require.NoError(t, err)
		}
		var saved, banned sync.Once
		_, err = Board(t.Context(), "arena", from, to, Options{Progress: func(Progress) {
			saved.Do(func() { require.NoError(t, b.(operator).SaveBaseline(t.Context(), "all", "before")) })
		}})
		require.ErrorIs(t, err, ErrLeftOut)
		_, err = b.Submit(t.Context(), board.Submission{Member: "bea", Score: board.Ints(1)})
		require.NoError(t, err)
		r, err := Board(t.Context(), "arena", from, to, Options{Partial: true, Progress: func(Progress) {
			banned.Do(func() {
				_, err := b.(operator).Ban(t.Context(), "ada", board.Action{By: "ops"})
				require.NoError(t, err)
			})
		}})
		require.NoError(t, err)
		require.NotEmpty(t, r.LeftOut)
		there, err := to.store().Board(t.Context(), "arena")
		require.NoError(t, err)
		_, err = there.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
		require.ErrorIs(t, err, board.ErrBanned)
	}
}

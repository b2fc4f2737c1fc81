package move

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestFollowsAllCalls: whichever call is the first after a board has moved, it is one on the board where that is now: a call with a result, one that only
// has an error, one that says whether it has found something, and one that iterates. What is about all boards asks both places.
func TestFollowsAllCalls(t *testing.T) {
	ops := board.Action{By: "ops", Reason: "cheats"}
	first := map[string]func(b board.Board) error{
		"a result": func(b board.Board) error { _, err := b.Member(t.Context(), "ada"); return err },
		"an error": func(b board.Board) error { return b.SaveBaseline(t.Context(), "all", "noon") },
		"found":    func(b board.Board) error { _, _, err := b.BestRank(t.Context(), "all", "ada"); return err }, // none is kept
		"iterates": func(b board.Board) error {
			for _, err := range b.Audit(t.Context(), audit.Filter{}) {
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	for name, call := range first {
		t.Run(name, func(t *testing.T) {
			clock := testclock.New()
			from, to := newPlace(t, clock), newPlace(t, clock)
			both := Follow(from.store(), to.store())
			b, err := both.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum})
			require.NoError(t, err)
			for _, member := range []string{"ada", "bea"} {
				_, err = b.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(5)})
				require.NoError(t, err)
			}
			_, err = Board(t.Context(), "arena", from.Boards, to.Boards, Options{})
			require.NoError(t, err)
			require.NoError(t, call(b))
			_, err = b.Hide(t.Context(), "bea", ops)
			require.NoError(t, err)
			entries := 0
			for e, err := range b.Audit(t.Context(), audit.Filter{}) {
				require.NoError(t, err)
				require.Equal(t, audit.Hide, e.Kind)
				entries++
			}
			require.Equal(t, 1, entries)
			banned, err := both.Ban(t.Context(), "ada", ops)
			require.NoError(t, err)
			require.Contains(t, banned.Boards, "arena")
			live, err := b.Live(t.Context(), "all")
			require.NoError(t, err)
			n, err := live.Len(t.Context())
			require.NoError(t, err)
			require.Zero(t, n)
		})
	}
}

// TestFollowsBansAndHides: whether a member is banned or hidden is asked of the place that has the board, also if the answer is in memory.
func TestFollowsBansAndHides(t *testing.T) {
	clock, ctx := testclock.New(), t.Context()
	from, to := newPlace(t, clock), newPlace(t, clock)
	old := must(Follow(from.store(), to.store()).Define(ctx, board.Spec{Name: "arena"}))
	must(Board(ctx, "arena", from.Boards, to.Boards, Options{}))
	moved := must(to.Board(ctx, "arena"))
	must(moved.Ban(ctx, "ada", board.Action{By: "ops"}))
	must(moved.Hide(ctx, "bea", board.Action{By: "ops"}))
	require.True(t, must(old.IsBanned(ctx, "ada")))
	require.True(t, must(old.IsHidden(ctx, "bea")))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

package local

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/engine"
)

// TestStepsAfterTransactions: Keys makes the steps that submissions in callers' transactions have made due: heads stay short, and buckets.
func TestStepsAfterTransactions(t *testing.T) {
	g := newGame(t, false)
	b := g.define(board.Spec{Name: "arena", Op: board.Last, Top: &board.Top{N: 10, Reserve: 5}})
	p := g.define(board.Spec{Name: "parts", Op: board.Last, PartMembers: 100})
	for i := range 3000 {
		sub := board.Submission{Member: fmt.Sprint("m", i), Score: board.Ints(int64(i)), At: g.clock.Now()}
		keys, err := hintsOf(b).Submit(t.Context(), nil, sub)
		require.NoError(t, err)
		keys, err = hintsOf(p).Submit(t.Context(), keys, sub)
		require.NoError(t, err)
		require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error {
			if _, err := in(b, tx).Apply(sub); err != nil {
				return err
			}
			_, err := in(p, tx).Apply(sub)
			return err
		}, keys...))
	}
	sizes := func(b board.Board) (sizes []int) {
		st := coreOf(b).State()
		keys := st.Timelines[0].RankingKeys("all")
		require.NoError(t, g.e.View(t.Context(), func(tx *engine.Tx) error {
			for _, key := range keys {
				set, err := tx.IntSet(key, st.Form)
				if err != nil {
					return err
				}
				sizes = append(sizes, set.Len())
			}
			return nil
		}, keys...))
		return sizes
	}
	head, tails := sizes(b)[0], sizes(b)[1:]
	require.LessOrEqual(t, head, 10+5+1)
	require.LessOrEqual(t, slices.Max(tails), 2*buckets.Full())
	require.Len(t, sizes(p), 3000/100)
}

// TestTopOfManyFalls: a transaction that takes more members from the best than the reserve has ends, with SubmitAll and with In.
func TestTopOfManyFalls(t *testing.T) {
	for name, submit := range map[string]func(g *game, b board.Board, subs []board.Submission){
		"SubmitAll": func(g *game, b board.Board, subs []board.Submission) {
			_, err := b.SubmitAll(t.Context(), subs)
			require.NoError(g.t, err)
		},
		"In": func(g *game, b board.Board, subs []board.Submission) {
			require.NoError(g.t, g.e.Update(t.Context(), func(tx *engine.Tx) error {
				for _, sub := range subs {
					if _, err := in(b, tx).Submit(sub); err != nil {
						return err
					}
				}
				return nil
			}))
		},
	} {
		for _, members := range []int{4, 30, 200} {
			t.Run(fmt.Sprint(name, members), func(t *testing.T) {
				g := newGame(t, true)
				b := g.define(board.Spec{Name: "arena", Op: board.Last, Top: &board.Top{N: 2, Reserve: 1}, Windows: []board.Window{board.All, board.Hour}})
				var subs []board.Submission
				for i := range members {
					g.score(b, fmt.Sprint("m", i), int64(1000+i))
					subs = append(subs, board.Submission{Member: fmt.Sprint("m", members-1-i), Score: board.Ints(int64(i)), At: g.clock.Now()})
				}
				submit(g, b, subs[:len(subs)-1])
				submit(g, b, subs)
				live, err := b.Live(t.Context(), "all")
				require.NoError(t, err)
				rows, err := live.Top(t.Context(), 9)
				require.NoError(t, err)
				require.Len(t, rows, 2)
				require.Equal(t, []string{"m0", "m1"}, []string{rows[0].Member, rows[1].Member})
				g.requireSound(0, 0)
			})
		}
	}
}

// TestTopFallsWithoutOthers: a batch fills the tail itself, and takes more members from the best than the reserve has.
func TestTopFallsWithoutOthers(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Op: board.Last, Top: &board.Top{N: 2, Reserve: 1}})
	g.score(b, "m3", 2)
	g.score(b, "m2", 2)
	g.jump(1e9)
	var subs []board.Submission
	for i := range 4 {
		subs = append(subs, board.Submission{Member: fmt.Sprint("m", i), Score: board.Ints(1)})
	}
	_, err := b.SubmitAll(t.Context(), subs)
	require.NoError(t, err)
	g.requireSound(0, 0)
}

package local

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// hide hides a member, or shows it.
func (m *moderated) hide(member string) {
	ctx, change, undo, wrong, not := context.Background(), m.b.Hide, m.b.Show, board.ErrHidden, board.ErrNotHidden
	if m.hidden[member] {
		change, undo, wrong, not = m.b.Show, m.b.Hide, board.ErrNotHidden, board.ErrHidden
	}
	_, err := undo(ctx, member, ops)
	require.ErrorIs(m.t, err, not)
	require.Equal(m.t, m.hidden[member], isHidden(m.b, member))
	places := m.placesOf(member)
	dry, err := change(ctx, member, board.Action{By: "ops", DryRun: true})
	require.NoError(m.t, err)
	did, err := change(ctx, member, ops)
	require.NoError(m.t, err)
	m.equalDry(dry, did)
	require.Len(m.t, did.Places, places)
	_, err = change(ctx, member, ops)
	require.ErrorIs(m.t, err, wrong)
	m.hidden[member] = !m.hidden[member]
	for _, p := range did.Places {
		require.Equal(m.t, m.hidden[member], p.Hidden)
		require.Equal(m.t, p.Score, p.NewScore)
		require.Equal(m.t, m.hidden[member], p.NewRank == 0)
		require.NotEqual(m.t, p.NewRank == 0, p.Rank == 0)
	}
}

// placesOf returns how many periods have results of a member.
func (m *moderated) placesOf(member string) (n int) {
	if m.results[member] != nil {
		n++
	}
	if m.roll(); m.rolled[member] != nil {
		n++
	}
	for _, day := range m.days {
		if day[member] != nil {
			n++
		}
	}
	return n
}

// compareHidden checks that a hidden member has its places in all periods, without ranks.
func (m *moderated) compareHidden(member string, x board.Member) {
	n := 0
	for _, h := range x.Windows {
		for _, p := range h.Places {
			require.Zero(m.t, p.Rank)
			n++
		}
	}
	require.Equal(m.t, m.placesOf(member), n)
}

// isNowhere checks that a hidden member is not in a ranking.
func (m *moderated) isNowhere(window, period, member string) {
	r, err := m.b.Period(context.Background(), window, period)
	if err != nil { // it has no other member
		return
	}
	_, ok, err := r.Rank(context.Background(), member)
	require.NoError(m.t, err)
	require.False(m.t, ok, "%s of %s", member, period)
}

// TestHideByHand: what hidden members are in the calls on one board.
func TestHideByHand(t *testing.T) {
	ctx := context.Background()
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{{Kind: window.Day}, board.All}, BestRanks: true, MaxMeta: 9})
	g.score(b, "ada", 5)
	g.score(b, "bob", 3)
	did, err := b.Hide(ctx, "ada", ops)
	require.NoError(t, err)
	require.Equal(t, []board.Place{{Window: "day", Period: "2026-11-20", Hidden: true, Rank: 1, Score: board.Ints(5), NewScore: board.Ints(5)},
		{Window: "all", Period: "all", Hidden: true, Rank: 1, Score: board.Ints(5), NewScore: board.Ints(5)}}, did.Places)
	g.reopen()
	b = g.board("arena")
	require.True(t, isHidden(b, "ada"))
	_, err = b.SubmitFunc(ctx, board.Submission{Member: "ada"}, func(was board.Row, ranked bool) (board.Score, bool) {
		require.True(t, ranked)
		require.Equal(t, 0, was.Rank)
		require.Equal(t, board.Ints(5), was.Score)
		return board.Ints(2), true
	})
	require.NoError(t, err)
	c, err := b.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(1), If: board.IfRanked, Near: 1})
	require.NoError(t, err)
	require.Equal(t, board.Move{Window: "day", Period: "2026-11-20", Hidden: true, Changed: true, Improved: true, Len: 1}, c.Move)
	require.ErrorIs(t, b.SetMeta(ctx, "day", "ada", []byte("x")), board.ErrNotRanked)
	best, ok, err := b.BestRank(ctx, "day", "ada")
	require.NoError(t, err)
	require.Equal(t, [2]any{1, true}, [2]any{best, ok})
	g.clock.Add(24 * time.Hour)
	_, err = b.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(9)}) // alone in the period
	require.NoError(t, err)
	g.clock.Add(24 * time.Hour)
	_, err = g.bs.CloseDue(ctx)
	require.NoError(t, err)
	g.reopen()
	g.requireSound(1, 0)
	shown, err := g.board("arena").Show(ctx, "ada", ops)
	require.NoError(t, err)
	require.Equal(t, []board.Place{{Window: "all", Period: "all", Score: board.Ints(17), NewRank: 1, NewScore: board.Ints(17)},
		{Window: "day", Period: "2026-11-20", Closed: true, Members: 1, Score: board.Ints(8), NewRank: 1, NewScore: board.Ints(8), Moved: 1},
		{Window: "day", Period: "2026-11-21", Closed: true, Score: board.Ints(9), NewRank: 1, NewScore: board.Ints(9)}}, shown.Places)
	g.requireSound(2, 0)
}

// TestHideRemoved: Remove removes the entries of a hidden member too, also in a transaction of the caller's, and Drop all that is stored of it.
func TestHideRemoved(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Op: board.BestOf, K: 2, Windows: []board.Window{{Kind: window.Day}}})
	g.score(b, "ada", 5)
	hidden := func() {
		_, err := b.Hide(context.Background(), "ada", ops)
		require.NoError(t, err)
	}
	hidden()
	removed, err := b.Remove(t.Context(), "ada")
	require.NoError(t, err)
	require.Equal(t, []board.Removed{{Window: "day", Period: "2026-11-20", Row: board.Row{Member: "ada", Score: board.Ints(5), Reached: g.clock.Now().UTC()}, Hidden: true}}, removed)
	g.requireSound(0, 0)
	g.score(b, "ada", 4)
	keys, err := hintsOf(b).Remove(t.Context(), nil, "ada")
	require.NoError(t, err)
	require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error {
		removed, err = in(b, tx).Remove("ada")
		return err
	}, keys...))
	require.Len(t, removed, 1)
	sub := board.Submission{Member: "ada", Score: board.Ints(7), At: g.clock.Now()}
	keys, err = hintsOf(b).Submit(t.Context(), nil, sub)
	require.NoError(t, err)
	require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error {
		c, err := in(b, tx).Submit(sub)
		require.True(t, c.Hidden)
		return err
	}, keys...))
	_, err = b.Show(context.Background(), "ada", ops)
	require.NoError(t, err)
	keys, err = hintsOf(b).Submit(t.Context(), nil, sub)
	require.NoError(t, err)
	hidden()
	require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error {
		c, err := in(b, tx).Submit(sub)
		require.True(t, err != nil || c.Hidden)
		return err
	}, keys...))
	require.NoError(t, g.bs.Drop(t.Context(), "arena"))
	b = g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{{Kind: window.Day}}})
	require.False(t, isHidden(b, "ada"))
	g.requireSound(0, 0)
}

// TestHideRolling: the results of a hidden member leave a rolling window as those of others do, and it comes back with what it then has. A migration leaves
// its entries where they are.
func TestHideRolling(t *testing.T) {
	ctx := context.Background()
	g := newGame(t, true)
	spec := board.Spec{Name: "arena", Op: board.Sum, MaxMeta: 9, Windows: []board.Window{{Kind: window.Day}, hours36}}
	b := g.define(spec)
	for _, score := range []int64{5, 3, 2} {
		_, err := b.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(score), Meta: []byte("a")})
		require.NoError(t, err)
		g.score(b, "bob", 4)
		g.clock.Add(12 * time.Hour)
	}
	_, err := b.Hide(ctx, "ada", ops) // five of its points leave now
	require.NoError(t, err)
	require.Equal(t, "bob 8", g.live(b, "roll"))
	h := must(b.Member(ctx, "ada")).Windows[1]
	require.Equal(t, []board.Place{{Window: "roll", Period: "all", Hidden: true, Score: board.Ints(5)}}, h.Places)
	g.score(b, "ada", 1)
	spec.BestRanks = true
	g.migrate(spec)
	g.reopen()
	b = g.board("arena")
	g.clock.Add(12 * time.Hour)
	require.Equal(t, "bob 4", g.live(b, "roll"))
	h = must(b.Member(ctx, "ada")).Windows[1]
	require.Equal(t, board.Ints(3), h.Places[0].Score)
	g.requireSound(2, 0)
	shown, err := b.Show(ctx, "ada", ops)
	require.NoError(t, err)
	require.Equal(t, board.Place{Window: "roll", Period: "all", Score: board.Ints(3), NewRank: 2, NewScore: board.Ints(3)}, shown.Places[1])
	require.Equal(t, `bob 4, ada 3 "a"`, g.live(b, "roll"))
	_, err = b.Hide(ctx, "ada", ops)
	require.NoError(t, err)
	g.clock.Add(48 * time.Hour)
	require.Empty(t, must(b.Member(ctx, "ada")).Windows[1].Places)
	shown, err = b.Show(ctx, "ada", ops)
	require.NoError(t, err)
	require.Len(t, shown.Places, 3, "the closed days")
	g.requireSound(3, 0)
}

// TestHideMigrates: the entries of hidden members follow the rules of a new spec as the others do.
func TestHideMigrates(t *testing.T) {
	ctx := context.Background()
	for _, parts := range []int{0, 2} {
		g := newGame(t, true)
		spec := board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{{Kind: window.Day}, board.All}}
		b := g.define(spec)
		for i, member := range []string{"ada", "bob", "cy", "dan"} {
			g.score(b, member, int64(i/2))
		}
		for _, member := range []string{"ada", "bob", "cy", "dan"} {
			_, err := b.Hide(ctx, member, ops)
			require.NoError(t, err)
		}
		g.clock.Add(24 * time.Hour)
		g.score(b, "ada", 7)
		spec.Parts, spec.Columns = parts, []board.Column{{Name: "score"}, {Name: "bonus"}}
		g.migrate(spec)
		b = g.board("arena")
		g.requireSound(0, 0)
		for _, member := range []string{"ada", "bob", "cy", "dan"} {
			_, err := b.Show(ctx, member, ops)
			require.NoError(t, err)
		}
		g.requireSound(1, 0)
		r, err := b.Period(ctx, "day", "2026-11-20")
		require.NoError(t, err)
		rows, err := r.Top(ctx, 9)
		require.NoError(t, err)
		require.Len(t, rows, 4)
		require.Equal(t, board.Ints(1, 0), rows[0].Score)
		require.Equal(t, []string{"cy", "dan", "ada", "bob"}, []string{rows[0].Member, rows[1].Member, rows[2].Member, rows[3].Member})
	}
}

// TestEraseHidden: Erase finds what a hidden member has, and ends its hiding.
func TestEraseHidden(t *testing.T) {
	ctx := context.Background()
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{{Kind: window.Day}}})
	g.score(b, "ada", 1)
	g.clock.Add(24 * time.Hour)
	g.score(b, "ada", 2)
	_, err := b.Hide(ctx, "ada", ops)
	require.NoError(t, err)
	did, err := b.Erase(ctx, "ada", ops)
	require.NoError(t, err)
	require.Len(t, did.Places, 2)
	require.False(t, isHidden(b, "ada"))
	g.reopen()
	require.False(t, isHidden(g.board("arena"), "ada"))
	g.requireSound(0, 0)
	require.Empty(t, g.privates(boardkey.HidePrefix()))
	_, err = g.board("arena").Hide(ctx, "ada", ops)
	require.NoError(t, err)
}

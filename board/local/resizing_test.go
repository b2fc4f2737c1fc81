package local

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/check"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// partsOf returns the parts of a period of a board's first window.
func partsOf(b board.Board, period string) *state.Parts {
	return coreOf(b).State().Timelines[0].PartsOf(period)
}

// layoutOf returns the layout of a period of a board's first window.
func layoutOf(b board.Board, period string) ranking.Layout { return partsOf(b, period).Now().Layout }

// grownGame defines a board whose parts follow its members, and the same board in one set, which says what is right.
func grownGame(t *testing.T, limit int) *game {
	g := newGame(t, true)
	for _, spec := range []board.Spec{{Name: "grown", PartMembers: limit}, {Name: "plain"}} {
		spec.Op, spec.Ties, spec.MaxMeta = board.Sum, board.ByMember, 4
		g.define(spec)
	}
	return g
}

// requireSame compares the rankings of both boards, row by row and by the rank of each member.
func (g *game) requireSame() {
	g.t.Helper()
	want, err := g.board("plain").Live(context.Background(), "all")
	require.NoError(g.t, err)
	got, err := g.board("grown").Live(context.Background(), "all")
	require.NoError(g.t, err)
	require.NoError(g.t, sameRankings(want, got))
}

// sameRankings returns the first difference of two rankings.
func sameRankings(want, got board.Ranking) error {
	ctx := context.Background()
	rows, err := want.Top(ctx, 1<<20)
	if err != nil {
		return err
	}
	others, err := got.Top(ctx, 1<<20)
	if err != nil {
		return err
	}
	if len(rows) != len(others) {
		return fmt.Errorf("%d rows, want %d", len(others), len(rows))
	}
	for i, row := range rows {
		own, ok, err := got.Rank(ctx, row.Member)
		if err != nil {
			return err
		}
		if !ok || own.Rank != row.Rank || own.Member != row.Member || own.Score != row.Score || others[i].Member != row.Member || others[i].Score != row.Score || others[i].Rank != row.Rank {
			return fmt.Errorf("row %d: %+v and %+v, want %+v", i, others[i], own, row)
		}
	}
	return nil
}

// TestPartsFollowMembers: a ranking has more parts the more members it has, and fewer when they are removed. Before, during and after each split and each
// merge all answers are those of one set, a check finds each member in the part of its address, and a power cut or a restart changes nothing.
func TestPartsFollowMembers(t *testing.T) {
	g := grownGame(t, 16)
	rng, splitting, merging, largest := rand.New(rand.NewPCG(1, 20)), 0, 0, 0
	const players = 200
	for i := range 2 * players {
		member, other := fmt.Sprint("player ", i%players), fmt.Sprint("player ", rng.IntN(i+1))
		for _, b := range []board.Board{g.board("grown"), g.board("plain")} {
			if i < players {
				g.score(b, member, int64(i*7919%31))
				g.score(b, other, 3)
				require.NoError(t, b.SetMeta(t.Context(), "all", other, []byte("x")))
			} else {
				require.Len(t, errorless(b.Remove(t.Context(), member)), 1)
			}
		}
		l := layoutOf(g.board("grown"), "all")
		largest = max(largest, l.Sets())
		switch {
		case l.To > l.From:
			splitting++
		case l.To < l.From:
			merging++
		}
		g.requireSame()
		switch i % 29 {
		case 7:
			g.requireSound(0, 0)
		case 14:
			g.reopenBoards()
		case 21:
			g.reopen()
		case 28:
			g.powerCut(i%3*50, uint64(i))
		}
		if i%29 > 13 && i%7 == 0 {
			g.requireSame()
			g.requireSound(0, 0)
		}
	}
	t.Logf("%d parts at most; %d times in a split, %d times in a merge", largest, splitting, merging)
	require.Greater(t, largest, 9)
	require.Greater(t, splitting, 20)
	require.Greater(t, merging, 20)
	require.LessOrEqual(t, layoutOf(g.board("grown"), "all").Sets(), 2)
}

// errorless returns a result, and panics if there is an error.
func errorless[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestClosedPartsStay: a period that is closed during a split keeps its parts, is checked and read as a whole, and is dropped with its layout. Each
// period has parts of its own.
func TestClosedPartsStay(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", PartMembers: 16, Windows: []board.Window{{Kind: "day", Keep: 1}}})
	for i := 0; layoutOf(b, "2026-11-20").IsSteady() || layoutOf(b, "2026-11-20").To < 4; i++ {
		g.score(b, fmt.Sprint("player ", i), int64(i))
	}
	g.score(b, "one more", 5)
	closed := layoutOf(b, "2026-11-20")
	want := g.live(b, "day")
	_, err := b.CloseNow(t.Context(), "day")
	require.NoError(t, err)
	require.Equal(t, ranking.Layout{From: 3, To: 4}, closed)
	g.jump(24 * time.Hour)
	g.score(b, "player 1", 5)
	for range 2 {
		require.Equal(t, ranking.Steady(1), layoutOf(b, "2026-11-21"))
		require.Equal(t, closed, layoutOf(b, "2026-11-20"))
		require.Equal(t, want, g.period(b, "day", "2026-11-20"))
		g.requireSound(1, 0)
		g.reopen()
		b = g.board("arena")
	}
	require.Len(t, g.privates(boardkey.LayoutPrefix()), 1)
	_, err = b.CloseNow(t.Context(), "day")
	require.NoError(t, err)
	require.Empty(t, g.privates(boardkey.LayoutPrefix()))
	require.Len(t, g.sets(), 1)
}

// TestMigrateParts: a migration gives each period the parts that its members need under the new spec, and deletes the layouts of the old one. An interrupted
// split does not matter.
func TestMigrateParts(t *testing.T) {
	g := grownGame(t, 16)
	for i := 0; layoutOf(g.board("grown"), "all").IsSteady() || i < 70; i++ {
		for _, name := range []string{"grown", "plain"} {
			g.score(g.board(name), fmt.Sprint("player ", i), int64(i*7919%31))
		}
	}
	for _, row := range []struct {
		members, fixed, want, layouts int
	}{{20, 0, 4, 1}, {0, 3, 3, 0}, {0, 0, 0, 0}, {5, 0, 14, 1}, {500, 0, 1, 1}} {
		spec := g.board("grown").Spec()
		spec.PartMembers, spec.Parts = row.members, row.fixed
		g.migrate(spec)
		for range 2 {
			g.requireSame()
			g.requireSound(0, 0)
			if p := partsOf(g.board("grown"), "all"); row.want == 0 {
				require.Nil(t, p)
			} else {
				require.Equal(t, ranking.Steady(row.want), p.Now().Layout)
			}
			require.Len(t, g.privates(boardkey.LayoutPrefix()), row.layouts)
			g.reopen()
		}
	}
}

// TestCheckParts: a check finds a member that is in another part than that of its address, and during a split one that is in both parts.
func TestCheckParts(t *testing.T) {
	for name, row := range map[string]struct {
		spec   board.Spec
		steady bool
		text   string
	}{
		"fixed":  {board.Spec{Parts: 4}, true, "has 1 members that belong to other parts"},
		"steady": {board.Spec{PartMembers: 16}, true, "has 1 members that belong to other parts"},
		"split":  {board.Spec{PartMembers: 16}, false, "1 members are in part"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, true)
			row.spec.Name = "arena"
			b := g.define(row.spec)
			for i := 0; i < 40 || layoutOf(b, "all").IsSteady() != row.steady; i++ {
				g.score(b, fmt.Sprint("player ", i), int64(i))
			}
			g.requireSound(0, 0)
			d, form := partsOf(b, "all").Now(), coreOf(b).State().Form
			i, j := 0, 1
			if !row.steady {
				i, j = d.Move()
			}
			require.NoError(t, g.bs.catalog.Owner.Update(t.Context(), d.Keys, func(tx *engine.Tx) error {
				from, to := errorless(tx.IntSet(d.Keys[i], form)), errorless(tx.IntSet(d.Keys[j], form))
				for _, e := range from.Append(nil, 0, from.Len()) {
					home, old := d.Homes(e.Member)
					if row.steady || home != old {
						_, err := to.Put(bytes.Clone(e.Member), bytes.Clone(e.Tie), e.Score)
						return err
					}
				}
				return fmt.Errorf("no member moves")
			}))
			g.requireProblem(check.Where("arena", "all", "all"), row.text)
		})
	}
}

// TestPartsMoveBetweenKeysAndTx: a transaction of the program that has named the parts before a split locks those that there are by now.
func TestPartsMoveBetweenKeysAndTx(t *testing.T) {
	g := newGame(t, false)
	b := g.define(board.Spec{Name: "arena", PartMembers: 16})
	for i := range 16 {
		g.score(b, fmt.Sprint("player ", i), int64(i))
	}
	sub := board.Submission{Member: "player 3", Score: board.Ints(99), At: g.clock.Now()}
	submit := func(keys []string) error {
		return g.e.Update(t.Context(), func(tx *engine.Tx) error {
			_, err := in(b, tx).Submit(sub)
			return err
		}, keys...)
	}
	old, err := hintsOf(b).Submit(t.Context(), nil, sub)
	require.NoError(t, err)
	require.Len(t, old, 1)
	for i := 16; layoutOf(b, "all").IsSteady(); i++ {
		g.score(b, fmt.Sprint("player ", i), int64(i))
	}
	require.NoError(t, submit(old))
	keys, err := hintsOf(b).Submit(t.Context(), nil, sub)
	require.NoError(t, err)
	require.Len(t, keys, 2)
	require.NoError(t, submit(keys))
	live, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	row, ok, err := live.Rank(t.Context(), "player 3")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, 1, row.Rank)
}

// TestResizingUnderWriters: goroutines submit to a board whose parts follow its members, and remove, so that parts split and merge all the time. Others read
// it: rows are in order and have the ranks of their places at every moment, and a check finds nothing wrong. At each pause all ranks are those of one set.
func TestResizingUnderWriters(t *testing.T) {
	const writers, each, limit = 4, 40, 8
	g := grownGame(t, limit)
	grown, plain := g.board("grown"), g.board("plain")
	live, err := grown.Live(t.Context(), "all")
	require.NoError(t, err)
	moved, largest := 0, 0
	rngs := make([]*rand.Rand, writers)
	for w := range rngs {
		rngs[w] = rand.New(rand.NewPCG(uint64(w), 21))
	}
	for round := range 2 * howMany(12) {
		var wait, reading sync.WaitGroup
		stop := make(chan struct{})
		reading.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					requireOrdered(t, live, 2*writers*each)
				}
			}
		})
		reading.Go(func() {
			rep, err := g.bs.Check(context.Background(), nil)
			if err := problemsError(rep, err); err != nil {
				t.Error(err)
			}
		})
		for w := range writers {
			wait.Go(func() { resizeRound(t, grown, plain, rngs[w], w, each, round%2 == 0) })
		}
		wait.Wait()
		close(stop)
		reading.Wait()
		other, err := plain.Live(t.Context(), "all")
		require.NoError(t, err)
		require.NoError(t, sameRankings(other, live))
		l := layoutOf(grown, "all")
		if largest = max(largest, l.Sets()); !l.IsSteady() {
			moved++
		}
		g.requireSound(0, 0)
	}
	t.Logf("%d parts at most; %d pauses in a split or a merge", largest, moved)
	require.Greater(t, largest, 8)
}

// resizeRound makes the calls of one goroutine, about members of its own, on both boards: it fills them, or removes most members.
func resizeRound(t *testing.T, grown, plain board.Board, rng *rand.Rand, w, each int, fill bool) {
	for i := range each {
		member := fmt.Sprintf("%d-%d", w, rng.IntN(each))
		if fill {
			member = fmt.Sprintf("%d-%d", w, i)
		}
		sub := board.Submission{Member: member, Score: board.Ints(rng.Int64N(20) - 5), Near: rng.IntN(2)}
		for _, b := range []board.Board{grown, plain} {
			var err error
			switch {
			case !fill && i%8 != 0:
				_, err = b.Remove(t.Context(), member)
			case i%5 == 0:
				_, err = b.SubmitAll(t.Context(), []board.Submission{sub, {Member: member + "x", Score: board.Ints(1)}})
			case i%5 == 1:
				_, err = b.Apply(t.Context(), sub)
			default:
				_, err = b.Submit(t.Context(), sub)
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
}

package local

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/check"
)

// TestPartsClose: a period in parts closes, is checked, is measured and is dropped as a whole.
func TestPartsClose(t *testing.T) {
	g := newGame(t, true)
	b := g.define(board.Spec{Name: "arena", Parts: 4, Windows: []board.Window{{Kind: "day", Keep: 1}}})
	for i := range 50 {
		g.score(b, fmt.Sprint("player ", i), int64(i))
	}
	keys, err := g.e.Keys("board/arena/")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"board/arena/day/2026-11-20/v1", "board/arena/.part.1.day/2026-11-20/v1",
		"board/arena/.part.2.day/2026-11-20/v1", "board/arena/.part.3.day/2026-11-20/v1"}, keys)
	_, err = b.CloseNow(t.Context(), "day")
	require.NoError(t, err)
	g.requireSound(1, 0)
	usage, err := usageOf(b)
	require.NoError(t, err)
	require.Len(t, usage, 1)
	require.Equal(t, 50, usage[0].Members)
	_, err = g.bs.catalog.Owner.Delete(t.Context(), keys[2])
	require.NoError(t, err)
	g.requireProblem(check.Where("arena", "day", "2026-11-20"), "and had 50 when it was closed")
	g.jump(24 * time.Hour)
	g.score(b, "player 1", 5)
	_, err = b.CloseNow(t.Context(), "day")
	require.NoError(t, err)
	keys, err = g.e.Keys("board/arena/")
	require.NoError(t, err)
	require.Len(t, keys, 1)
	g.requireSound(1, 0)
}

// TestPartsSpec: what a board in parts cannot be.
func TestPartsSpec(t *testing.T) {
	for text, spec := range map[string]board.Spec{
		"parts is -1, want 0 to 64": {Parts: -1},
		"parts is 65, want 0 to 64": {Parts: 65},
		"parts is 2, want 1 with op bestof, whose commits come one after the other":       {Parts: 2, Op: board.BestOf, K: 2},
		"parts is 2, want 1 with a rolling window: \"3h\"":                                {Parts: 2, Op: board.Sum, Windows: []board.Window{board.Rolling("3h", 3*time.Hour)}},
		"partMembers is -1, want 0 to 1073741824":                                         {PartMembers: -1},
		"partMembers is 5, want 0 with parts, which fixes their number":                   {PartMembers: 5, Parts: 2},
		"partMembers is 5, want 0 with top, whose best members are one set":               {PartMembers: 5, Top: &board.Top{N: 3}},
		"partMembers is 5, want 0 with op lastof, whose commits come one after the other": {PartMembers: 5, Op: board.LastOf, K: 2},
		"partMembers is 5, want 0 with a rolling window: \"3h\"":                          {PartMembers: 5, Op: board.Sum, Windows: []board.Window{board.Rolling("3h", 3*time.Hour)}},
	} {
		spec.Name = "arena"
		err := spec.Validate()
		require.ErrorIs(t, err, board.ErrSpec)
		require.ErrorContains(t, err, text)
	}
	require.NoError(t, board.Spec{Name: "arena", Parts: 1, Op: board.BestOf, K: 2}.Validate())
	require.NoError(t, board.Spec{Name: "arena", Parts: 1, PartMembers: 5}.Validate())
	require.Empty(t, board.Spec{Name: "arena", Parts: 1}.Differences(board.Spec{Name: "arena"}))
	require.Equal(t, []string{"partMembers is 0, not 5"}, board.Spec{Name: "arena", PartMembers: 5}.Differences(board.Spec{Name: "arena"}))
}

// TestPartsUnderWriters: goroutines submit to a board in parts and to one plain board, and others read both. Each score follows from the one before.
// Rows are in order and have the ranks of their places at every moment, and the boards agree when all are done.
func TestPartsUnderWriters(t *testing.T) {
	const writers, players = 4, 60
	g := newGame(t, true)
	divided := g.define(board.Spec{Name: "divided", Op: board.Sum, Ties: board.ByMember, Parts: 4})
	plain := g.define(board.Spec{Name: "plain", Op: board.Sum, Ties: board.ByMember})
	live, err := divided.Live(t.Context(), "all")
	require.NoError(t, err)
	var wait, reading sync.WaitGroup
	stop := make(chan struct{})
	reading.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				requireOrdered(t, live, players)
			}
		}
	})
	for w := range writers {
		wait.Go(func() {
			rng, scores := rand.New(rand.NewPCG(uint64(w), 1)), map[string]int64{}
			for range fewer(1000) {
				member, points := fmt.Sprint("player ", w+writers*rng.IntN(players/writers)), rng.Int64N(100)-30
				c, err := divided.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(points), Near: 1, Overtaken: 3})
				if err != nil {
					t.Error(err)
					return
				}
				was, had := scores[member]
				scores[member] = was + points
				if c.Ranked != had || had && c.Before.Score != board.Ints(was) || c.After.Score != board.Ints(was+points) || c.After.Rank < 1 || c.After.Rank > c.Len || c.Len > players {
					t.Errorf("submitted %d to %d: %+v", points, was, c)
				}
				if _, err := plain.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(points)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	close(stop)
	reading.Wait()
	other, err := plain.Live(t.Context(), "all")
	require.NoError(t, err)
	rows, err := live.Top(t.Context(), players)
	require.NoError(t, err)
	want, err := other.Top(t.Context(), players)
	require.NoError(t, err)
	for i := range want {
		want[i].Reached, rows[i].Reached = zeroTime, zeroTime
	}
	require.Equal(t, want, rows)
}

// requireOrdered reads a ranking in a View and pinned. Its rows are in order, each member is in it once, and has the rank of its place.
func requireOrdered(t *testing.T, r board.Ranking, most int) {
	check := func(r board.Ranking) error {
		rows, err := r.Top(t.Context(), most+1)
		if err != nil {
			return err
		}
		n, err := r.Len(t.Context())
		seen := map[string]bool{}
		for i, row := range rows {
			own, ok, err := r.Rank(t.Context(), row.Member)
			if err != nil || !ok || own.Rank != i+1 || row.Rank != i+1 || seen[row.Member] || i > 0 && whole(row.Score.At(0).Units()) > whole(rows[i-1].Score.At(0).Units()) {
				t.Errorf("row %d: %+v, %+v %v", i, row, own, err)
			}
			seen[row.Member] = true
		}
		if n != len(rows) || n > most {
			t.Errorf("%d rows of %d", len(rows), n)
		}
		return err
	}
	if err := r.View(t.Context(), check); err != nil {
		t.Error(err)
	}
	pinned, err := r.Pin(context.Background())
	if err == nil {
		err = check(pinned)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestApply: Apply changes what Submit changes, and tells whether it has, on a plain board, on one in parts, and with best ranks.
func TestApply(t *testing.T) {
	g := newGame(t, false)
	for i, spec := range []board.Spec{{}, {Parts: 3}, {BestRanks: true}, {Parts: 3, BestRanks: true}, {Top: &board.Top{N: 4, Reserve: 2}}} {
		spec.Windows = []board.Window{board.All, board.Day}
		spec.Name = fmt.Sprint("applied ", i)
		applied := g.define(spec)
		spec.Name = fmt.Sprint("submitted ", i)
		submitted, rng := g.define(spec), rand.New(rand.NewPCG(1, 1))
		for range 200 {
			g.jump(time.Second)
			sub := board.Submission{Member: fmt.Sprint("player ", rng.IntN(20)), Score: board.Ints(rng.Int64N(50)), Once: fmt.Sprint(rng.IntN(150)), If: []board.Condition{board.Always, board.IfNew, board.IfBetter}[rng.IntN(3)]}
			c, err := submitted.Submit(t.Context(), sub)
			require.NoError(t, err)
			changed, err := applied.Apply(t.Context(), sub)
			require.NoError(t, err)
			require.Equal(t, hasChanged(c), changed)
		}
		for _, window := range []string{"all", "day"} {
			require.Equal(t, g.live(submitted, window), g.live(applied, window))
		}
		rank, ranked, err := applied.BestRank(t.Context(), "all", "player 1")
		require.NoError(t, err)
		wantRank, wantRanked, err := submitted.BestRank(t.Context(), "all", "player 1")
		require.NoError(t, err)
		require.Equal(t, []any{wantRank, wantRanked}, []any{rank, ranked})
		_, err = applied.Apply(t.Context(), board.Submission{Score: board.Ints(1)})
		require.ErrorIs(t, err, board.ErrMember)
	}
}

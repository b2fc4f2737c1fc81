package local

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
)

// TestPowerCutInBan: whenever the power is cut while a member is banned on all boards, another call returns the receipt of the first one, and all coins come out
// exactly: the others have got the difference, once.
func TestPowerCutInBan(t *testing.T) {
	const members = 30
	g, b := newPayroll(t, members, 0, awards.Plan{})
	require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: payOwed}))
	for range 2 {
		g.playAll(b)
		g.settle()
	}
	g.playAll(b)
	want := map[string]int{}
	for i := range members {
		want[fmt.Sprint("m", i)] = 2 * payrollCoins(i+1, members)
		if i > 5 {
			want[fmt.Sprint("m", i)] = 2 * max(payrollCoins(i+1, members), payrollCoins(i, members-1))
		}
	}
	ctx, cheat := context.Background(), board.Action{By: "ops", Reason: "aimbot"}
	var first board.Banned
	g.cut(func() {
		var err error
		first, err = g.bs.Ban(ctx, "m5", cheat)
		require.NoError(t, err)
	}, func(after *game) error {
		again, err := after.bs.Ban(ctx, "m5", cheat)
		if err != nil {
			return err
		}
		if got := again.Boards["arena"]; fmt.Sprint(got) != fmt.Sprint(first.Boards["arena"]) {
			return fmt.Errorf("receipt %v, want %v", got, first.Boards["arena"])
		}
		if err := after.bs.Deliver("arena", "day", Delivery{Grant: payOwed}); err != nil {
			return err
		}
		if _, err := after.bs.SettleDue(ctx); err != nil {
			return err
		}
		return after.checkCoins(want)
	})
	require.Len(t, first.Resettled, 2)
	require.Len(t, first.Boards["arena"].Places, 4)
}

// TestModeratedAgain: a call that is made again, as after a crash, returns the receipt of the first one, until it is undone.
func TestModeratedAgain(t *testing.T) {
	g := newGame(t, true)
	ctx := context.Background()
	b := g.define(board.Spec{Name: "arena", Windows: []board.Window{{Kind: window.Day}, board.All}})
	g.play(b, 50, 40, 30)
	g.clock.Add(24 * time.Hour)
	g.play(b, 50, 40, 30)
	unban := func(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
		return b.Unban(ctx, member, a)
	}
	for _, c := range []struct {
		call, undo   func(context.Context, string, board.Action) (board.Moderated, error)
		again, twice error
	}{{b.Hide, b.Show, board.ErrHidden, board.ErrNotHidden}, {b.Ban, unban, board.ErrBanned, board.ErrNotBanned}} {
		_, err := c.undo(ctx, "m1", ops)
		require.ErrorIs(t, err, c.twice, "it is not what was undone")
		first, err := c.call(ctx, "m1", ops)
		require.NoError(t, err)
		require.NotEmpty(t, first.Places)
		second, err := c.call(ctx, "m1", board.Action{By: "ops", Reason: "again"})
		require.ErrorIs(t, err, c.again)
		require.Equal(t, first, second)
		undone, err := c.undo(ctx, "m1", ops)
		require.NoError(t, err)
		second, err = c.undo(ctx, "m1", ops)
		require.ErrorIs(t, err, c.twice)
		require.Equal(t, undone, second)
	}
	first, err := b.Rename(ctx, "m0", "x", ops)
	require.NoError(t, err)
	second, err := b.Rename(ctx, "m0", "x", ops)
	require.ErrorIs(t, err, board.ErrExists)
	require.Equal(t, first, second)
	other, err := b.Rename(ctx, "m2", "x", ops)
	require.ErrorIs(t, err, board.ErrExists)
	require.Empty(t, other.Places, "it is not what was made")
}

package local

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/internal/boardkey"
)

// TestDissolveCut: what a Dissolve that was cut short has left of the members goes when the boards are opened again, or when the member is erased.
func TestDissolveCut(t *testing.T) {
	g := newGame(t, true)
	guilds, err := g.bs.DefineGroups("guild")
	require.NoError(t, err)
	for _, group := range []string{"wolves", "lions"} {
		require.NoError(t, guilds.Create(group, nil))
	}
	for i := range 600 {
		require.NoError(t, guilds.Join(fmt.Sprint("m", i), "wolves"))
	}
	require.NoError(t, guilds.Join("ada", "lions"))
	cut, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, guilds.Dissolve(cut, "wolves"), context.Canceled)
	_, in := guilds.Of("m7")
	require.False(t, in, "the group is gone all the same")
	require.NoError(t, guilds.Join("m8", "lions"))
	_, err = g.bs.Erase(context.Background(), "m9", ops)
	require.NoError(t, err)
	require.Len(t, g.privates(boardkey.JoinedPrefix("guild")), 600)
	g.reopen()
	require.Equal(t, []string{boardkey.Joined("guild", "ada"), boardkey.Joined("guild", "m8")}, g.privates(boardkey.JoinedPrefix("guild")))
	guilds, err = g.bs.Groups("guild")
	require.NoError(t, err)
	require.Equal(t, 2, guilds.All()[0].Members)
}

package local

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/internal/cutcontext"
)

// TestDissolveCut: what a Dissolve that was cut short has left of the members goes when the boards are opened again, or when the member is erased.
func TestDissolveCut(t *testing.T) {
	g := newGame(t, true)
	guilds, err := g.bs.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	for _, group := range []string{"wolves", "lions"} {
		require.NoError(t, guilds.Create(t.Context(), group, nil))
	}
	for i := range 600 {
		require.NoError(t, guilds.Join(t.Context(), fmt.Sprint("m", i), "wolves"))
	}
	require.NoError(t, guilds.Join(t.Context(), "ada", "lions"))
	in := true
	for n := 0; in; n++ { // until the group is gone, and nothing else has been done
		require.ErrorIs(t, guilds.Dissolve(cutcontext.After(n), "wolves"), context.Canceled)
		_, in, err = guilds.Of(t.Context(), "m7")
		require.NoError(t, err)
	}
	require.NoError(t, guilds.Join(t.Context(), "m8", "lions"))
	_, err = g.bs.Erase(context.Background(), "m9", ops)
	require.NoError(t, err)
	require.Len(t, g.privates(boardkey.JoinedPrefix("guild")), 600)
	g.reopen()
	require.Equal(t, []string{boardkey.Joined("guild", "ada"), boardkey.Joined("guild", "m8")}, g.privates(boardkey.JoinedPrefix("guild")))
	guilds, err = g.bs.Groups(t.Context(), "guild")
	require.NoError(t, err)
	all, err := guilds.All(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, all[0].Members)
}

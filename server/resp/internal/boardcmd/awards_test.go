package boardcmd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/server/resp/internal/sessiontest"
)

// TestAwardsTooMany: BOARD.AWARDS answers all awards of a period, or as many as are asked for; a reply that would be too big is one error.
func TestAwardsTooMany(t *testing.T) {
	p, boards := newDesk(t, sessiontest.Options{MaxReply: 200_000})
	tiers := []awards.Tier{{Name: "played", Everyone: true, Payload: "1 coin"}}
	b, err := boards.Define(t.Context(), board.Spec{Name: "b", Windows: []board.Window{board.Year}, Awards: []awards.Plan{{Window: "year", Tiers: tiers}}})
	require.NoError(t, err)
	const members = 8 * 128
	for i := range members {
		_, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprintf("m%020d", i), Score: board.Ints(int64(i))})
		require.NoError(t, err)
	}
	year, err := b.CloseNow(t.Context(), "year")
	require.NoError(t, err)
	_, err = boards.SettleDue(t.Context())
	require.NoError(t, err)
	ask := "BOARD.AWARDS b year " + year.Period
	require.Equal(t, "-ERR reply is larger than the limit of 200000 bytes\r\n", p.Ask(ask))
	for _, n := range []int{0, 1, 128, 128 + 1} {
		reply := p.Ask(fmt.Sprint(ask, " STATE waiting COUNT ", n))
		require.Equal(t, n, strings.Count(reply, "$21\r\n"), "%.300s", reply)
	}
	require.Equal(t, 1, strings.Count(p.Ask(fmt.Sprintf("%s MEMBER m%020d", ask, 5)), "$21\r\n"))
}

// TestMembersOfParts: BOARD.LIST and BOARD.INFO count the members of all parts of a ranking.
func TestMembersOfParts(t *testing.T) {
	p, boards := newDesk(t, sessiontest.Options{})
	b, err := boards.Define(t.Context(), board.Spec{Name: "b", Parts: 4})
	require.NoError(t, err)
	for i := range 100 {
		_, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprint("m", i), Score: board.Ints(int64(i))})
		require.NoError(t, err)
	}
	for _, ask := range []string{"BOARD.LIST", "BOARD.INFO b"} {
		require.Contains(t, p.Ask(ask), "members\r\n:100\r\n", ask)
	}
}

package boardcmd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/sessiontest"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// newDesk returns a client that knows the commands BOARD.*, and the boards.
func newDesk(t *testing.T, o sessiontest.Options) (sessiontest.Desk, *local.Boards) {
	t.Helper()
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, boards.Close()); require.NoError(t, e.Close()) })
	o.Boards = boards
	h, _ := sessiontest.NewHost(t, e, o, Commands(boards, nil))
	return sessiontest.New(t, h), boards
}

// TestRowsAsBoards: BOARD.TOP and BOARD.AROUND send the rows that the board's own methods return, however many; and one error if they are too many.
func TestRowsAsBoards(t *testing.T) {
	p, boards := newDesk(t, sessiontest.Options{})
	b, err := boards.Define(t.Context(), board.Spec{Name: "b"})
	require.NoError(t, err)
	const members = 2*128 + 7
	for i := range members {
		_, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprint("m", i), Score: board.Ints(int64(i % 100))})
		require.NoError(t, err)
	}
	live, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	text := func(rows []board.Row) string {
		w := wire.Writer{Protocol: 2}
		w.Array(len(rows))
		for _, row := range rows {
			(&reply{Writer: &w}).row(&row)
		}
		return string(w.Buf)
	}
	arounds := 0
	for _, n := range []int{0, 1, 5, 128, 128 + 1, members / 2, members - 1, members, members + 1, 5 * members} {
		for _, mode := range []board.Mode{board.Ordinal, board.Competition, board.Modified, board.Dense} {
			rows, err := live.By(mode).Top(t.Context(), n)
			require.NoError(t, err)
			require.Equal(t, text(rows), p.Ask(fmt.Sprintf("BOARD.TOP b all %d MODE %v", n, mode)))
			for _, place := range []int{1, 2, 5, members / 3, members - 1, members} {
				row, _, err := live.At(t.Context(), place)
				require.NoError(t, err)
				rows, _, err := live.By(mode).Around(t.Context(), row.Member, n)
				require.NoError(t, err)
				require.Equal(t, text(rows), p.Ask(fmt.Sprintf("BOARD.AROUND b all %s %d MODE %v", row.Member, n, mode)), "%d around %d", n, place)
				arounds++
			}
		}
	}
	t.Logf("%d times around a member", arounds)
}

// TestRowAbsent: a column that has no value is null, and not 0.
func TestRowAbsent(t *testing.T) {
	p, boards := newDesk(t, sessiontest.Options{})
	b, err := boards.Define(t.Context(), board.Spec{Name: "b", Columns: []board.Column{{Name: "x"}, {Name: "y", Absent: board.AbsentLast}}})
	require.NoError(t, err)
	for member, y := range map[string]board.Value{"ada": board.Absent, "bea": board.Int(0)} {
		_, err := b.Submit(t.Context(), board.Submission{Member: member, Score: board.Values(board.Int(7), y)})
		require.NoError(t, err)
	}
	require.Equal(t, "*4\r\n:2\r\n$3\r\nada\r\n:7\r\n$-1\r\n", p.Ask("BOARD.RANK b all ada"))
	require.Equal(t, "*4\r\n:1\r\n$3\r\nbea\r\n:7\r\n:0\r\n", p.Ask("BOARD.RANK b all bea"))
}

// TestRowsTooMany: a reply that would be too big is one error, and none of it is sent.
func TestRowsTooMany(t *testing.T) {
	p, boards := newDesk(t, sessiontest.Options{MaxReply: 200_000})
	b, err := boards.Define(t.Context(), board.Spec{Name: "b"})
	require.NoError(t, err)
	for i := range 250 {
		_, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprintf("%0900d", i), Score: board.Ints(int64(i))})
		require.NoError(t, err)
	}
	require.Equal(t, "-ERR reply is larger than the limit of 200000 bytes\r\n", p.Ask("BOARD.TOP b all 250"))
	require.Equal(t, 60, strings.Count(p.Ask("BOARD.TOP b all 60"), "$900\r\n"))
}

package boardcmd

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/sessiontest"
)

// BenchmarkCommands measures commands without a connection.
func BenchmarkCommands(b *testing.B) {
	e, err := engine.New(engine.Options{})
	require.NoError(b, err)
	boards, err := local.Open(e, local.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, boards.Close()); require.NoError(b, e.Close()) })
	h, _ := sessiontest.NewHost(b, e, sessiontest.Options{Boards: boards}, Commands(boards, nil))
	p := sessiontest.New(b, h)
	arena, err := boards.Define(b.Context(), board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week, board.Day}})
	require.NoError(b, err)
	for i := range 10_000 {
		_, err := arena.Submit(b.Context(), board.Submission{Member: fmt.Sprintf("player:%013d", i), Score: board.Ints(int64(i))})
		require.NoError(b, err)
	}
	for name, line := range map[string]string{"submit": "BOARD.SUBMIT arena player:0000000005000 1", "top": "BOARD.TOP arena week 10", "rank": "BOARD.RANK arena week player:0000000005000"} {
		words := sessiontest.Words(line)
		b.Run("call="+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Request(words)
				p.Out.Reset()
			}
		})
	}
}

package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/access"
)

// noWriter is a response that nobody reads.
type noWriter struct {
	header http.Header
	status int
}

func (w *noWriter) Header() http.Header         { return w.header }
func (w *noWriter) WriteHeader(status int)      { w.status = status }
func (w *noWriter) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkRequests measures requests without a connection.
func BenchmarkRequests(b *testing.B) {
	e, err := engine.New(engine.Options{})
	require.NoError(b, err)
	boards, err := local.Open(e, local.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, boards.Close()); require.NoError(b, e.Close()) })
	arena, err := boards.Define(b.Context(), board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week, board.Day}})
	require.NoError(b, err)
	for i := range 10_000 {
		_, err := arena.Submit(b.Context(), board.Submission{Member: fmt.Sprintf("player:%013d", i), Score: board.Ints(int64(i))})
		require.NoError(b, err)
	}
	h, err := New(boards, Options{Access: access.Options{Keys: []access.Key{{Name: "game", Secret: allKey, Rights: access.All}}}})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, h.Close()) })
	for name, line := range map[string]string{
		"submit": `POST /v1/boards/arena/scores {"member":"player:0000000005000","score":"1"}`,
		"top":    "GET /v1/boards/arena/windows/week/top?n=10 ",
		"rank":   "GET /v1/boards/arena/windows/week/rank?member=player:0000000005000 ",
	} {
		words := strings.SplitN(line, " ", 3)
		b.Run("call="+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				q, err := http.NewRequestWithContext(b.Context(), words[0], words[1], strings.NewReader(words[2]))
				require.NoError(b, err)
				q.Header = http.Header{"Authorization": {"Bearer " + allKey}, "Content-Type": {"application/json"}}
				w := noWriter{header: http.Header{}}
				h.ServeHTTP(&w, q)
				if w.status != 0 && w.status != http.StatusOK {
					b.Fatal(w.status)
				}
			}
		})
	}
}

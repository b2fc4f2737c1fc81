package browsertest

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/admin"
)

var (
	paintMembers = flag.Int("members", 0, "TestPaint: members of a board; 0: it is skipped")
	paintBoards  = flag.Int("boards", 0, "TestPaint: other boards")
)

const paintTimes = 9

// TestPaint prints when the browser first paints pages of a large board beside many others, in milliseconds after it was told to go there, and how many bytes came:
//
//	go test -run TestPaint -v -members 10000000 -boards 100000
func TestPaint(t *testing.T) {
	if *paintMembers == 0 {
		t.Skip("a measurement: give it -members and -boards")
	}
	server := httptest.NewServer(largePages(t))
	t.Cleanup(server.Close)
	x := newTab(t, server.URL+"/")
	for _, at := range []string{"overview", "board?board=arena", fmt.Sprintf("board?board=arena&from=%d", *paintMembers/2), "player?member=m1", "health"} {
		var paints, bytes []float64
		for range paintTimes {
			require.NoError(t, chromedp.Do(x.ctx, chromedp.Navigate(x.base+at)))
			found, err := chromedp.Run(x.ctx, chromedp.Evaluate[[]float64](`new Promise(done => {
				const look = () => {
					const paint = performance.getEntriesByName("first-contentful-paint")[0];
					if (!paint) return requestAnimationFrame(look);
					const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
					done([paint.startTime, all.reduce((sum, x) => sum + x.transferSize, 0)]);
				};
				look();
			})`, chromedp.EvalAwaitPromise))
			require.NoError(t, err)
			paints, bytes = append(paints, found[0]), append(bytes, found[1])
		}
		first := bytes[0]
		slices.Sort(paints)
		t.Logf("%-40s first paint %3.0f ms (%.0f to %.0f), %.0f bytes the first time", at, paints[len(paints)/2], paints[0], paints[len(paints)-1], first)
	}
}

// largePages returns pages of a board with many members, and many boards.
func largePages(t *testing.T) http.Handler {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, boards.Close()) })
	arena, err := boards.Define(t.Context(), board.Spec{Name: "arena"})
	require.NoError(t, err)
	const step = 1000
	for i := 0; i < *paintMembers; i += step {
		var subs []board.Submission
		for k := i; k < min(i+step, *paintMembers); k++ {
			subs = append(subs, board.Submission{Member: fmt.Sprint("m", k), Score: board.Ints(int64(k*7919) % 1_000_003)})
		}
		_, err := arena.SubmitAll(t.Context(), subs)
		require.NoError(t, err)
	}
	for i := range *paintBoards {
		b, err := boards.Define(t.Context(), board.Spec{Name: fmt.Sprintf("room-%06d", i), Windows: []board.Window{board.All, board.Week}})
		require.NoError(t, err)
		_, err = b.Apply(t.Context(), board.Submission{Member: "m1", Score: board.Ints(1)})
		require.NoError(t, err)
	}
	h, err := admin.New(boards, admin.Options{Local: boards, Open: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

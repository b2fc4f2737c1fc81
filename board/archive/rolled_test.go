package archive

import (
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/internal/testclock"
)

// hours is a window of the last three hours, in which results leave together.
var hours = board.Window{Name: "3h", Kind: "rolling", Span: window.Duration(3 * time.Hour), Bucket: window.Duration(time.Hour)}

// TestRolledApart has results that leave together and are not one, because their sum is out of range.
func TestRolledApart(t *testing.T) {
	clock := testclock.New()
	w, o := newWorld(t, clock), newWorld(t, clock)
	b, err := w.boards.Define(t.Context(), board.Spec{Name: "apart", Op: board.Sum, Windows: []board.Window{hours}})
	require.NoError(t, err)
	const most = math.MaxInt64 - 5
	start := clock.Now()
	for _, x := range []struct {
		after time.Duration
		score int64
	}{{0, most}, {time.Hour, -most}, {0, most}, {time.Hour, -most}, {0, most}} {
		_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(x.score), At: start.Add(x.after)})
		require.NoError(t, err)
	}
	text := w.write("apart")
	result := `{"leaves":"2026-11-20T16:00:00Z","score":9223372036854775802}`
	require.Contains(t, text, result+","+result+","+result)
	o.read(text)
	require.Equal(t, text, o.write("apart"))
	for range 3 {
		_, err := o.board("apart").Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(-most), At: start.Add(time.Hour)})
		require.NoError(t, err)
		_, err = o.board("apart").Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(most), At: start})
		require.NoError(t, err)
	}
	require.Equal(t, 6, strings.Count(o.write("apart"), result))
	_, err = o.boards.Check(t.Context(), nil)
	require.NoError(t, err)
}

// TestRolledBad gives Read results that cannot be those of the ranking.
func TestRolledBad(t *testing.T) {
	clock := testclock.New()
	w, o := newWorld(t, clock), newWorld(t, clock)
	b, err := w.boards.Define(t.Context(), board.Spec{Name: "best", Windows: []board.Window{hours}})
	require.NoError(t, err)
	for i, score := range []int64{5, 3, 1} {
		_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(score), At: clock.Now().Add(time.Duration(i) * time.Hour)})
		require.NoError(t, err)
	}
	text := w.write("best")
	const first = `{"leaves":"2026-11-20T16:00:00Z","score":5,"reached":"2026-11-20T12:00:00Z"}`
	require.Contains(t, text, first)
	for old, wrong := range map[string]string{
		`"score":5,"reached":"2026-11-20T12:00:00Z","rolling"`: `"score":6,"reached":"2026-11-20T12:00:00Z","rolling"`, // not the first to leave
		first + ",":             "",                                                  // likewise
		first:                   first + "," + first,                                 // twice
		`"score":3,"reached":"`: `"score":3,"at":"2026-11-20T12:00:00Z","reached":"`, // the operator has no times
		`"order":1`:             `"order":2000000000000`,                             // too late
		`"score":5,"reached":"2026-11-20T12:00:00Z"}`: `"score":5}`, // no time
		`"score":1`: `"score":[1,2]`, // a column too many
		`"kind":"rolling","span":"3h","bucket":"1h"`: `"kind":"all"`, // not a rolling window
	} {
		require.Contains(t, text, old)
		_, err := Read(t.Context(), strings.NewReader(strings.Replace(text, old, wrong, 1)), o.boards, Options{})
		require.ErrorIs(t, err, ErrFile, "%s", wrong)
		require.Empty(t, o.boards.All())
		keys, err := o.e.Keys("board/")
		require.NoError(t, err)
		require.Empty(t, keys)
	}
	o.read(text)

	progress := func(int) { // the entry stays as it is
		_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(2), At: clock.Now().Add(150 * time.Minute)})
		require.NoError(t, err)
	}
	_, err = Write(t.Context(), io.Discard, w.boards, "best", Options{Progress: progress})
	require.ErrorIs(t, err, ErrChanged)
	clock.Add(4 * time.Hour)
	text = w.write("best")
	require.NotContains(t, text, "T16:00:00Z") // it has left
	require.Contains(t, text, "T17:00:00Z")
}

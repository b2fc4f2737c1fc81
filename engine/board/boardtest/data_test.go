package boardtest

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// readData returns the rows of a file in shared/data, found in this directory or one above it, without the header. It skips
// the test where there is none.
func readData(t *testing.T, name, header string) [][]string {
	start, err := os.Getwd()
	require.NoError(t, err)
	path := ""
	for dir := start; ; dir = filepath.Dir(dir) {
		path = filepath.Join(dir, "shared", "data", name)
		if _, err := os.Stat(path); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Skipf("skipped: no shared/data/%s in %s or above it", name, start)
		}
	}
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	rows, err := csv.NewReader(unzipped).ReadAll()
	require.NoError(t, err)
	require.Equal(t, header, fmt.Sprint(rows[0]))
	return rows[1:]
}

func parseTime(t *testing.T, text string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	require.NoError(t, err)
	return at
}

func parseInt(t *testing.T, text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	require.NoError(t, err)
	return n
}

// openMemory opens the boards of an engine that keeps nothing, and a clock to move.
func openMemory(t *testing.T) (*board.Boards, *clock) {
	c := &clock{}
	e, err := engine.New(engine.Options{Clock: c.now})
	require.NoError(t, err)
	boards, err := board.Open(e, board.Options{})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, boards.Close())
		require.NoError(t, e.Close())
	})
	return boards, c
}

func mustDefine(t *testing.T, boards *board.Boards, spec board.Spec) *board.Board {
	b, err := boards.Define(spec)
	require.NoError(t, err)
	return b
}

func mustLive(t *testing.T, b *board.Board, window string) board.Ranking {
	r, err := b.Live(window)
	require.NoError(t, err)
	return r
}

func mustTop(t *testing.T, r board.Ranking) []board.Row {
	rows, err := r.Top(1 << 20)
	require.NoError(t, err)
	return rows
}

package boardtest

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/redistest"
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
func openMemory(t *testing.T) (board.Store, *clock) {
	c := &clock{}
	e, err := engine.New(engine.Options{Clock: c.now})
	require.NoError(t, err)
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, boards.Close())
		require.NoError(t, e.Close())
	})
	return boards, c
}

// onEachStore runs a test on the boards of an engine, and on those of a redis-server in one partition and in four.
func onEachStore(t *testing.T, test func(t *testing.T, boards board.Store, now *clock)) {
	t.Run("engine", func(t *testing.T) {
		boards, now := openMemory(t)
		test(t, boards, now)
	})
	for _, partitions := range []int{1, 4} {
		t.Run(fmt.Sprint("cluster of ", partitions), func(t *testing.T) {
			boards, now := openCluster(t, partitions)
			test(t, boards, now)
		})
	}
}

// openCluster opens boards on a redis-server that it starts, and a clock to move. It skips the test where there is none.
func openCluster(t *testing.T, partitions int) (board.Store, *clock) {
	s, err := redistest.Start(t.TempDir(), 1)
	if errors.Is(err, redistest.ErrNone) {
		t.Skipf("SKIPPED: %v, so nothing here is tested", err)
	}
	require.NoError(t, err)
	t.Cleanup(s.Close)
	client, c := s.Client(0), &clock{}
	boards, err := cluster.Open(client, cluster.Options{Partitions: partitions, Clock: c.now})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, boards.Close())
		require.NoError(t, client.Close())
	})
	return boards, c
}

func mustDefine(t *testing.T, boards board.Store, spec board.Spec) board.Board {
	b, err := boards.Define(t.Context(), spec)
	require.NoError(t, err)
	return b
}

func mustLive(t *testing.T, b board.Board, window string) board.Ranking {
	r, err := b.Live(t.Context(), window)
	require.NoError(t, err)
	return r
}

func mustTop(t *testing.T, r board.Ranking) []board.Row {
	rows, err := r.Top(t.Context(), 1<<20)
	require.NoError(t, err)
	return rows
}

package board

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
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

func parseScore(t *testing.T, text string) float64 {
	score, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return score
}

// scored is a submission to one of several boards.
type scored struct {
	board *Board
	Submission
}

// submitAll submits in commits of a thousand.
func submitAll(t *testing.T, e *engine.Engine, subs []scored) {
	for batch := range slices.Chunk(subs, 1000) {
		var keys []string
		for _, s := range batch {
			keys = s.board.Keys(keys, s.At)
		}
		require.NoError(t, e.Update(keys, func(tx *engine.Tx) error {
			for _, s := range batch {
				if _, err := s.board.SubmitTx(tx, s.Submission); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

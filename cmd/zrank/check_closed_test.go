package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/persist"
)

// TestCheckClosed: check counts the closed periods that are unchanged, and names one that is not.
func TestCheckClosed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	e, err := engine.Open(dir, engine.Options{Clock: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }})
	require.NoError(t, err)
	bs, err := board.Open(e, board.Options{})
	require.NoError(t, err)
	b, err := bs.Define(board.Spec{Name: "arena", Windows: []board.Window{board.Day}})
	require.NoError(t, err)
	for member, score := range map[string]int64{"ada": 5, "bob": 3} {
		_, err := b.Submit(board.Submission{Member: member, Score: board.Ints(score)})
		require.NoError(t, err)
	}
	_, err = b.CloseNow("day")
	require.NoError(t, err)
	require.NoError(t, bs.Close())
	require.NoError(t, e.Close())
	require.Regexp(t, `(?m)^closed periods +1 as they were closed, 0 closed without a checksum$`, must(t, "check", "--dir", dir))

	s, err := persist.Open(dir, persist.Options{}) // nothing above it refuses this
	require.NoError(t, err)
	var damage persist.Batch
	damage.Remove("board/arena/day/2026-11-20/v1", []byte("bob"))
	_, err = s.Append(&damage)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	r := zrank(nil, "check", "--dir", dir)
	require.Equal(t, 1, r.code)
	require.Contains(t, r.out, `board "arena", window "day", period "2026-11-20": has 1 members, and had 2 when it was closed`)
}

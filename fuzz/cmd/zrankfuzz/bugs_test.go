//go:build seeded

package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/seeded"
)

// TestBugs finds a bug in each of three layers, and none when there is none.
func TestBugs(t *testing.T) {
	defer seeded.Set("")
	none, err := find(t.Context(), "zset", time.Second, 1)
	require.NoError(t, err)
	require.Empty(t, none.Config, "%v", none)
	for bug, layer := range map[string]string{
		"minus zero is kept": "zset",
		"an entry that moves up keeps the length of another": "listpack",
		"reply before the log is flushed":                    "engine",
	} {
		seeded.Set(bug)
		f, err := find(t.Context(), layer, time.Minute, 1)
		require.NoError(t, err)
		require.NotEmpty(t, f.Config, bug)
		require.LessOrEqual(t, len(f.Script), 12, "%v", f)
		t.Logf("%s: %.1f s, %s, %d lines", bug, f.Seconds, f.Config, len(f.Script))
	}
}

package main

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

// TestReadBar: the bar of a copy says which of its readings is under way, and there is none where the output is no terminal.
func TestReadBar(t *testing.T) {
	dir := played(t)
	b := newReadBar(io.Discard, "data")
	require.Nil(t, b.p)
	var last string
	ctx := engine.WithProgress(t.Context(), func(rep engine.Report) {
		b.move(rep)
		last = b.message(rep)
		if b.pass == 0 {
			require.NotContains(t, last, "reading")
		}
	})
	_, err := engine.Restore(ctx, dir, filepath.Join(t.TempDir(), "new"), engine.Options{})
	require.NoError(t, err)
	require.Equal(t, 2, b.pass)
	require.Regexp(t, `^data, reading 3: \d+ groups?, \d+ sets$`, last)
	b.stop()
}

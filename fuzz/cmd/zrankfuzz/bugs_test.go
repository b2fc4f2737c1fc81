//go:build seeded

package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBugs finds a bug in each of three layers, and none when there is none.
func TestBugs(t *testing.T) {
	none, err := find(t.Context(), "zset", time.Second, 1)
	require.NoError(t, err)
	require.Empty(t, none.Config, "%v", none)
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"bugs", "--bug", "minus zero is kept", "--bug", "an entry that moves up keeps the length of another",
		"--bug", "reply before the log is flushed"}, nil, &out, &errs)
	require.Zero(t, code, errs.String())
	require.Contains(t, out.String(), "3 of 3 found")
	t.Log(out.String())
}

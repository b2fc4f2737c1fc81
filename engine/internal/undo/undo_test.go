package undo

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAgain: from Follow on, the log names members that change again, at most as many as it has records; then it names all.
func TestAgain(t *testing.T) {
	var l Log
	record := func(members ...string) {
		for _, m := range members {
			l.RecordOld([]byte(m), nil, 1, true)
		}
	}
	again := func() []string { return slices.Collect(l.Again) }
	record("a", "b", "a")
	require.Empty(t, again(), "nobody follows")
	l.Follow()
	record("c", "c", "b")
	require.Equal(t, []string{"c", "b"}, again())
	require.Empty(t, again())
	for range 100 {
		record("b")
	}
	require.LessOrEqual(t, len(l.again), 3)
	require.Equal(t, []string{"a", "b", "c"}, again())
	require.Empty(t, again())
}

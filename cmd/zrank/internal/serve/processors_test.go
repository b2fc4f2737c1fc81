package serve

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDefaultProcessors: a machine of few processors gives all of them to the server, so that flushes and compactions do not take turns with commits; a
// larger one keeps one back, unless the environment says how many to use.
func TestDefaultProcessors(t *testing.T) {
	for all, want := range map[int]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 4, 8: 7, 64: 63} {
		require.Equal(t, want, defaultProcessors(all, false), all)
		require.Equal(t, all, defaultProcessors(all, true))
	}
}

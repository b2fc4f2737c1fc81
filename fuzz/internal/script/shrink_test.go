package script

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShrink hides three lines in a long script.
func TestShrink(t *testing.T) {
	script := Generate("", 1, 500)
	for i, at := range []int{20, 21, 477} {
		script[at] = Op{Kind: "len", Key: "needle", Lo: i}
	}
	short := Shrink(script, 5000, func(s []Op) bool {
		needles := 0
		for _, op := range s {
			if op.Key == "needle" {
				needles++
			}
		}
		return needles == 3
	})
	require.Len(t, short, 3)
	require.Empty(t, Shrink(script, 5000, func([]Op) bool { return true }))
	require.Equal(t, script, Shrink(script, 5000, func(s []Op) bool { return false }))
}

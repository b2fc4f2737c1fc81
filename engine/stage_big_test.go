package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist"
)

// TestStageBigMember: a member that nearly fills a commit is staged in a separate commit, also if other members come before it.
func TestStageBigMember(t *testing.T) {
	const small = 90
	e := mustOpen(t, persist.MemFS(), Options{})
	mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
		for i := range small {
			add(t, tx, "a", strings.Repeat("s", 10_000)+string(rune('A'+i)), float64(i))
		}
	})
	mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", strings.Repeat("m", MaxTransaction-600<<10), small) })
	n, err := e.Copy(context.Background(), "a", "b")
	require.NoError(t, err)
	require.Equal(t, small+1, n)
	mustView(t, e, []string{"b"}, func(tx *Tx) { require.Equal(t, small+1, named(t, tx, "b").Len()) })
	require.NoError(t, e.Close())
}

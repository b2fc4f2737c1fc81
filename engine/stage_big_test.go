package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
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

// TestStagedPagesLost: if Salvage can read none of the pages of a staged set, there is no set, and not one without members. A member that a later commit has put is there.
func TestStagedPagesLost(t *testing.T) {
	for _, later := range []bool{false, true} {
		mem, sets := memfs.NewCrashable(), 1
		e := mustOpen(t, mem, Options{SnapshotBytes: -1})
		e.ops.stageBytes = testStage
		require.NoError(t, setX(e, "other", 1))
		e.checkpoints.Paged = func([]byte) []byte { return must(newSet()).AppendPage(nil, 0) } // in place of what is left out
		require.NoError(t, install(e, t.Context(), "a", bigSet(t, 1200, 200)))
		if later {
			require.NoError(t, setX(e, "a", 2))
			sets++
		}
		mem = cutAndClose(t, e, mem)
		rep, err := CheckDir(t.Context(), "db", Options{FS: mem}, nil)
		require.NoError(t, err)
		require.Empty(t, rep.Problems)
		e = mustOpen(t, mem, Options{SnapshotBytes: -1})
		require.NoError(t, sound(e, sets))
		whole, err := onlyWhole(e, "a", 1200, strings.Repeat("x=2 ", sets-1))
		require.NoError(t, err)
		require.False(t, whole)
		require.NoError(t, install(e, t.Context(), "a", bigSet(t, 1200, 200)))
		require.NoError(t, sound(e, 2))
		require.NoError(t, e.Close())
	}
}

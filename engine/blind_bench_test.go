package engine

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkRemoveCold removes one member of each of 1,000 sets on the disk only with 2,000 members, 64 sets in a commit: by blind writes, and by
// transactions that read the sets.
func BenchmarkRemoveCold(b *testing.B) {
	const sets, members, step = 1000, 2000, 64
	for _, blind := range []bool{true, false} {
		b.Run(fmt.Sprintf("sets=%d/members=%d/blind=%v", sets, members, blind), func(b *testing.B) {
			e, err := Open(b.TempDir(), Options{SnapshotBytes: -1})
			require.NoError(b, err)
			model, o, keys := blindSets{}, ownerOf(b, e), []string(nil)
			for i := range sets {
				keys = append(keys, fmt.Sprintf("board/arena/day/%04d", i))
				model.fill(b, e, keys[i], members)
			}
			for n := 0; b.Loop(); n++ {
				b.StopTimer()
				require.NoError(b, e.Snapshot())
				require.NoError(b, e.Unload(keys...))
				b.StartTimer()
				for some := range slices.Chunk(keys, step) {
					removeCold(b, o, model, some, fmt.Sprintf("m%04d", n), blind)
				}
			}
			require.NoError(b, e.Close())
		})
	}
}

// removeCold removes a member of each set in one commit.
func removeCold(b *testing.B, o Owner, model blindSets, keys []string, member string, blind bool) {
	read, unread := keys, []string(nil)
	if blind {
		read, unread = nil, keys
	}
	require.NoError(b, o.UpdateBlind(b.Context(), read, unread, func(tx *Tx) error {
		for _, key := range keys {
			if err := model.remove(tx, o, key, member); err != nil {
				return err
			}
		}
		return nil
	}))
}

package persist

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/snapshot"
)

// TestReadBackGoesOneWay: InOrder must return the sets in the order in which the snapshot wrote them, not in that of the map. Sets that
// keep all their pages come first.
func TestReadBackGoesOneWay(t *testing.T) {
	const sets = 200
	s := mustOpen(t, MemFS(), Options{})
	mustAppend(t, s, put("a", "m", "v"))
	var written []string
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(sets) {
		written = append(written, fmt.Sprintf("set%03d", i))
	}
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	for _, key := range written {
		require.NoError(t, sn.WriteSet(key, nil, 1, 2, pagesOf(key+" 0", key+" 1")))
	}
	require.Equal(t, written, keysOf(snapshot.InOrder(sn.sn)))
	require.NoError(t, sn.Publish())

	mustAppend(t, s, put("a", "m", "w"))
	sn, err = s.Snapshot(2)
	require.NoError(t, err)
	//lint:ignore SA4000 yield is called twice
	kept := func(yield func([]byte) bool) { _ = yield(nil) && yield(nil) }
	changed := func(yield func([]byte) bool) { _ = yield(nil) && yield([]byte("new")) }
	require.NoError(t, sn.WriteSet(written[0], nil, 2, 2, changed))
	require.NoError(t, sn.WriteSet(written[1], nil, 2, 2, kept))
	require.NoError(t, sn.WriteSet(written[2], nil, 2, 2, changed))
	require.Equal(t, []string{written[1], written[0], written[2]}, keysOf(snapshot.InOrder(sn.sn)))
	require.NoError(t, sn.Publish())
	got, err := allPages(s, setRecord(t, s, written[2]))
	require.NoError(t, err)
	require.Equal(t, []string{written[2] + " 0", "new"}, got)
	require.NoError(t, s.Close())
	t.Logf("%d sets in the order of their pages", sets)
}

func keysOf(records []format.SetRecord) (keys []string) {
	for _, r := range records {
		keys = append(keys, r.Key)
	}
	return keys
}

package engine

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/zset"
)

// TestHighThresholds has a set whose members would make a listpack that no page of a snapshot can hold.
func TestHighThresholds(t *testing.T) {
	o := Options{FS: memfs.New(), MaxListpackEntries: zset.MaxListpackEntries, MaxListpackMember: 1 << 20}
	e, err := Open("db", o)
	require.NoError(t, err)
	for i := range 20 {
		require.NoError(t, e.Update(t.Context(), func(tx *Tx) error {
			s, err := tx.Set("a")
			if err == nil {
				_, err = s.Add(append(bytes.Repeat([]byte{'m'}, 1<<20-1), byte(i)), 1)
			}
			return err
		}, "a"))
	}
	require.NoError(t, e.Snapshot())
	n, err := e.Copy(context.Background(), "a", "b")
	require.NoError(t, err)
	require.EqualValues(t, 20, n)
	require.NoError(t, e.Close())
	e, err = Open("db", o)
	require.NoError(t, err)
	report, err := e.Check(context.Background(), nil)
	require.NoError(t, err)
	require.Empty(t, report.Problems)
	require.NoError(t, e.Close())
}

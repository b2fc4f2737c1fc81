package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist"
)

// TestWithProgress: copies say how much they have read, of what they copy and of the copy, up to all pages. Without a function nothing is called.
func TestWithProgress(t *testing.T) {
	fs := persist.MemFS()
	e := mustOpen(t, fs, Options{})
	for i := range 3 {
		key := fmt.Sprint("set", i)
		require.NoError(t, e.Update(t.Context(), func(tx *Tx) error {
			s, err := tx.Set(key)
			if err == nil {
				_, err = s.IncrBy([]byte("ada"), float64(i+1))
			}
			return err
		}, key))
	}
	require.NoError(t, e.Snapshot())
	var passes []Report // the last report of each
	ctx := WithProgress(t.Context(), func(rep Report) {
		if n := len(passes); n == 0 || rep.Bytes < passes[n-1].Bytes {
			passes = append(passes, rep)
		}
		passes[len(passes)-1] = rep
	})
	reads := func(name string, n int, call func(ctx context.Context) error) {
		t.Helper()
		passes = nil
		require.NoError(t, call(ctx), name)
		require.Len(t, passes, n, name)
		for _, rep := range passes {
			require.Equal(t, 3, rep.Sets, name)
			require.Positive(t, rep.Pages, name)
			require.Equal(t, rep.PagesOf, rep.Pages, name)
		}
	}
	reads("backup", 1, func(ctx context.Context) error { return e.Backup(ctx, "backup") })
	require.NoError(t, e.Close())
	reads("restore", 3, func(ctx context.Context) error {
		_, err := Restore(ctx, "backup", "restored", Options{FS: fs})
		return err
	})
	reads("salvage", 3, func(ctx context.Context) error {
		_, err := Salvage(ctx, "backup", "salvaged", Options{FS: fs})
		return err
	})
	passes = nil
	_, err := Restore(t.Context(), "backup", "again", Options{FS: fs})
	require.NoError(t, err)
	require.Empty(t, passes)
}

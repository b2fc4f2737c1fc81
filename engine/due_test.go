package engine

import (
	"bytes"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist"
)

// TestSnapshotAge: a snapshot is taken when the log is SnapshotAge old, even if the log is short; none is taken if the age or SnapshotBytes
// is negative.
func TestSnapshotAge(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		want time.Duration // 0: never
	}{
		"default": {Options{}, defaultSnapshotAge},
		"minute":  {Options{SnapshotAge: time.Minute}, time.Minute},
		"any age": {Options{SnapshotAge: -1}, 0},
		"never":   {Options{SnapshotBytes: -1, SnapshotAge: time.Minute}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := mustOpen(t, persist.MemFS(), c.o)
				for range 3 {
					time.Sleep(17 * time.Second)
					mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", float64(time.Now().Second())) })
					require.Positive(t, e.store.LogBytes())
					if c.want == 0 {
						time.Sleep(24 * time.Hour)
						require.Positive(t, e.store.LogBytes())
						break
					}
					time.Sleep(c.want)
					synctest.Wait()
					require.Zero(t, e.store.LogBytes())
				}
				require.NoError(t, e.Close())
			})
		})
	}
	require.Error(t, Options{SnapshotAge: 1}.Validate())
}

// TestSnapshotRetry: a snapshot that fails is logged and tried again, after a pause that grows, and the engine goes on.
func TestSnapshotRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		e := mustOpen(t, persist.MemFS(), Options{SnapshotBytes: 1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		start, tries := time.Now(), []time.Duration{}
		e.checkpoints.Paged = func(page []byte) []byte {
			if tries = append(tries, time.Since(start)); len(tries) <= 4 {
				return tooLong
			}
			return page
		}
		for i := range 14 {
			mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", float64(i)) })
			time.Sleep(1100 * time.Millisecond)
		}
		synctest.Wait()
		want := []time.Duration{0, 1, 3, 7, 15}
		for i := range want {
			require.Equal(t, want[i]*time.Second, tries[i])
		}
		require.Equal(t, 4, bytes.Count(log.Bytes(), []byte("snapshot failed")))
		require.Zero(t, e.store.LogBytes())
		require.NoError(t, e.Close())
	})
}

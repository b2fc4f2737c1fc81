package persist

import (
	"bytes"
	"log/slog"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// damageKnown is set once the log says that Pebble has found damage in the background.
type damageKnown struct{ atomic.Bool }

func (k *damageKnown) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("damaged data")) {
		k.Store(true)
	}
	return len(line), nil
}

// TestDamageBlocksPebble damages a table so that Pebble's compactions fail, and commits until L0 is almost full. The store must then
// fail with ErrCorrupt, instead of blocking every commit for ever.
func TestDamageBlocksPebble(t *testing.T) {
	defer noCloseTimeout()() // on a slow machine Close waits long for a compaction
	fs := MemFS()
	lazy := func(o *pebble.Options) {
		small(o)
		o.L0CompactionThreshold, o.L0CompactionFileThreshold, o.L0StopWritesThreshold = 1000, 1000, 2000
	}
	s, err := open("db", Options{FS: fs}, lazy)
	require.NoError(t, err)
	mustAppend(t, s, put("a", "m", "v"))
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	page := string(noise(30000))
	require.NoError(t, sn.WriteSet("a", nil, 1, 1, pagesOf(page, page, page, page)))
	require.NoError(t, sn.Publish())
	require.NoError(t, s.log.DB.Pebble.Flush())
	mustAppend(t, s, put("a", "m", "v"))
	require.NoError(t, s.log.DB.Pebble.Flush())
	require.NoError(t, s.Close())
	for _, p := range filesLike(fs, ".sst") {
		if v, _ := storedir.ReadWhole(fs, p); len(v) > 50000 {
			require.NoError(t, edit(fs, p, flip(len(v)/2, 3)))
		}
	}
	var known damageKnown
	s, err = open("db", Options{FS: fs, StallTimeout: time.Hour, Logger: slog.New(slog.NewTextHandler(&known, nil))}, small)
	require.NoError(t, err, "pages are checked when they are read")
	for n := 0; err == nil; n++ {
		require.Less(t, n, 10_000, "Pebble never reads the damaged block")
		for s.log.DB.Pebble.Metrics().Levels[0].Sublevels > 6 && !known.Load() {
			runtime.Gosched() // wait for a compaction to find the damage: commits are faster
		}
		var b Batch
		b.Put("zz", []byte("m"), noise(12<<10))
		var seq uint64
		if seq, err = s.Append(&b); err == nil {
			err = s.Wait(t.Context(), seq)
		}
	}
	require.ErrorIs(t, err, ErrPersistence)
	require.ErrorIs(t, err, ErrCorrupt)
	require.ErrorIs(t, s.Close(), ErrCorrupt)
	s, err = open("db", Options{FS: fs}, small)
	require.NoError(t, err, "the lock is free")
	require.NoError(t, s.Close())
}

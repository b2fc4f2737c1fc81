package engine

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist"
)

// keyOutside returns a key that is not in the given shard.
func keyOutside(e *Engine, sh *shard) string {
	for i := 0; ; i++ {
		if key := fmt.Sprintf("k%d", i); e.keys.shard(key) != sh {
			return key
		}
	}
}

// during runs f while a snapshot is held between reading how far the log is and looking at the sets.
func during(t *testing.T, e *Engine, sh *shard, f func()) {
	t.Helper()
	sh.mu.Lock()
	done := make(chan error, 1)
	go func() { done <- e.Snapshot() }()
	for {
		if _, err := e.store.Snapshot(math.MaxUint64); errors.Is(err, persist.ErrSnapshotRunning) {
			break
		}
		runtime.Gosched()
	}
	f()
	sh.mu.Unlock()
	require.NoError(t, <-done)
}

// TestSnapshotMeetsDrop: a set is dropped, or dropped and made again, after a snapshot has begun and before it comes to the
// set. The next snapshots and a reopen keep what is there.
func TestSnapshotMeetsDrop(t *testing.T) {
	for _, again := range []bool{false, true} {
		for _, stored := range []bool{false, true} {
			t.Run(fmt.Sprintf("stored=%v/again=%v", stored, again), func(t *testing.T) {
				r := newRunner(Options{SnapshotBytes: -1}, vfs.NewCrashableMem())
				require.NoError(t, r.open())
				step := func(line string) { require.NoError(t, r.step(line), line) }
				sh := &r.e.keys.shards[0]
				key := keyOutside(r.e, sh)
				step(fmt.Sprintf("update %s | add %s x 1", key, key))
				if stored {
					step("snapshot")
				}
				during(t, r.e, sh, func() {
					step(fmt.Sprintf("update %s | remove %s x", key, key))
					if again {
						step(fmt.Sprintf("update %s | tied %s y 0000000000000007 2", key, key))
					}
				})
				step("crash 0")
				step("snapshot")
				step("snapshot")
				step("reopen")
				step("snapshot")
				step("reopen")
				require.NoError(t, r.e.Close())
			})
		}
	}
}

// TestSnapshotTwiceMeetsDrop is the same with no reopen in between.
func TestSnapshotTwiceMeetsDrop(t *testing.T) {
	r := newRunner(Options{SnapshotBytes: -1}, vfs.NewCrashableMem())
	require.NoError(t, r.open())
	step := func(line string) { require.NoError(t, r.step(line), line) }
	sh := &r.e.keys.shards[0]
	key := keyOutside(r.e, sh)
	step(fmt.Sprintf("update %s | add %s x 1", key, key))
	step("snapshot")
	during(t, r.e, sh, func() {
		step(fmt.Sprintf("update %s | remove %s x", key, key))
		step(fmt.Sprintf("update %s | add %s y 2", key, key))
	})
	step("snapshot")
	step("crash 100")
	step("reopen")
	require.NoError(t, r.e.Close())
}

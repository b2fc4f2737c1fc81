package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
)

// fed reads the feed from a commit on until it ends or has shown the last commit. It returns the last commit shown.
func fed(e *Engine, from, last uint64) (seq uint64, changes int, err error) {
	for seq = from; seq < last; {
		for c, failed := range e.Feed(context.Background(), seq) {
			if failed != nil {
				return seq, changes, failed
			}
			seq, changes = c.Seq, changes+len(c.Changes)
			if seq == last {
				break
			}
		}
	}
	return seq, changes, nil
}

// feedMissesPages stores a set as pages, and reads a feed from before.
func feedMissesPages() error {
	e, err := Open("db", Options{FS: memfs.New(), SnapshotBytes: -1})
	if err != nil {
		return err
	}
	e.ops.stageBytes = testStage
	z, err := newSet()
	for i := range 3000 {
		_, failed := z.Add(fmt.Append(nil, "member", i), float64(i))
		err = errors.Join(err, failed)
	}
	err = errors.Join(err, install(e, context.Background(), "a", z))
	if _, changes, failed := fed(e, 0, e.m.lastSeq()); !errors.Is(failed, ErrFellBehind) {
		err = errors.Join(err, fmt.Errorf("the feed has shown %d changes, %w", changes, failed))
	}
	return errors.Join(err, e.Close())
}

// TestPagesAreNotInTheLog: a set that was staged as pages is not in the log. A feed from before the commit that gives it its key falls behind there,
// also after a crash and a snapshot; one from that commit on goes on. Once there is a feed, sets are staged in the log, and the feed shows all of them.
func TestPagesAreNotInTheLog(t *testing.T) {
	const n = 1200
	mem, o := memfs.NewCrashable(), Options{SnapshotBytes: -1, FeedLogBytes: 0}
	e := mustOpen(t, mem, o)
	e.ops.stageBytes = testStage
	require.NoError(t, setX(e, "other", 1))
	before, bytes := e.m.lastSeq(), e.store.LogBytes()
	require.NoError(t, install(e, t.Context(), "a", bigSet(t, n, 200)))
	require.Equal(t, before+2, e.m.lastSeq(), "one commit makes it, and one gives it its key")
	require.Less(t, e.store.LogBytes()-bytes, int64(1000), "%d members", n)
	adopted := e.m.lastSeq()
	require.NoError(t, setX(e, "other", 2))
	behind := func(from uint64) {
		t.Helper()
		seq, _, err := fed(e, from, e.m.lastSeq())
		var b *FellBehindError
		require.ErrorAs(t, err, &b)
		require.Equal(t, adopted-1, seq, "the commits before are shown")
		require.Equal(t, FellBehindError{From: adopted - 1, Oldest: adopted + 1}, *b)
		require.ErrorIs(t, err, ErrFellBehind)
	}
	goesOn := func() {
		t.Helper()
		_, changes, err := fed(e, adopted, e.m.lastSeq())
		require.NoError(t, err)
		require.Positive(t, changes)
	}
	mem = cutAndClose(t, e, mem)
	e = mustOpen(t, mem, o)
	e.ops.stageBytes = testStage
	whole, err := onlyWhole(e, "a", n, "")
	require.NoError(t, err)
	require.True(t, whole)
	for from := range adopted {
		behind(from)
	}
	goesOn()
	last := e.m.lastSeq()
	require.NoError(t, install(e, t.Context(), "b", bigSet(t, n, 200)))
	seq, changes, err := fed(e, last, e.m.lastSeq())
	require.NoError(t, err, "there is a feed, so this one is in the log")
	require.Equal(t, e.m.lastSeq(), seq)
	require.Greater(t, changes, n)
	goesOn()
	require.NoError(t, feedMissesPages())
	require.NoError(t, sound(e, 3)) // takes a snapshot, which cuts the log
	_, _, err = fed(e, 0, e.m.lastSeq())
	require.ErrorIs(t, err, ErrFellBehind)
	require.NoError(t, e.Close())
}

// TestFeedBeginsWhilePagesAreWritten: a feed from what a View has seen while a set was being staged shows nothing of the set, and falls behind at the commit that
// shows it to others.
func TestFeedBeginsWhilePagesAreWritten(t *testing.T) {
	e := mustOpen(t, memfs.New(), Options{SnapshotBytes: -1})
	e.ops.stageBytes = testStage
	require.NoError(t, setX(e, "other", 1))
	var seen []uint64
	e.checkpoints.Paged = func(page []byte) []byte {
		require.NoError(t, e.View(t.Context(), func(tx *Tx) error { seen = append(seen, tx.Seq()); return nil }))
		return page
	}
	require.NoError(t, install(e, t.Context(), "a", bigSet(t, 1200, 200)))
	require.Greater(t, len(seen), 1)
	for _, from := range seen {
		require.Equal(t, e.m.lastSeq()-1, from, "the last commit but the one that shows the set")
		_, changes, err := fed(e, from, e.m.lastSeq())
		require.ErrorIs(t, err, ErrFellBehind)
		require.Zero(t, changes)
	}
	require.NoError(t, e.Close())
}

// TestStagePagesCancelled: if the context ends before any of the pages of a staged set is written, nothing is left of it, and the key has its old set.
func TestStagePagesCancelled(t *testing.T) {
	for at := range 4 {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			mem := memfs.New()
			e := mustOpen(t, mem, Options{SnapshotBytes: -1})
			e.ops.stageBytes = testStage
			someSets(t, e, "k", 3)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			pages := 0
			e.checkpoints.Paged = func(page []byte) []byte {
				if pages++; pages > at {
					cancel()
				}
				return page
			}
			require.ErrorIs(t, install(e, ctx, "k00001", bigSet(t, 1200, 200)), context.Canceled)
			require.Equal(t, at+1, pages, "it ends at once")
			e.checkpoints.Paged = nil
			whole, err := onlyWhole(e, "k00001", 1200, "x=1 ")
			require.NoError(t, err)
			require.False(t, whole)
			require.NoError(t, sound(e, 3))
			require.NoError(t, e.Close())
			e = mustOpen(t, mem, Options{})
			require.NoError(t, sound(e, 3))
			require.NoError(t, e.Close())
		})
	}
}

// TestFeedLogKeepsMembers: an engine that keeps its log for feeds stages in the log, so that a feed which was away shows everything.
func TestFeedLogKeepsMembers(t *testing.T) {
	mem, o := memfs.New(), Options{SnapshotBytes: -1, FeedLogBytes: 1 << 20}
	e := mustOpen(t, mem, o)
	e.ops.stageBytes = testStage
	require.NoError(t, install(e, t.Context(), "a", bigSet(t, 1200, 200)))
	require.NoError(t, e.Close())
	e = mustOpen(t, mem, o)
	_, changes, err := fed(e, 0, e.m.lastSeq())
	require.NoError(t, err)
	require.Greater(t, changes, 1200)
	require.NoError(t, e.Close())
}

// TestStagePagesFullDisk: the disk becomes full while the pages of a staged set are written. The key has its old set, nothing is left of the new one, and once there is room
// it can be stored.
func TestStagePagesFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := memfs.NewCrashable()
		free := func(mb uint64) {
			mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: mb << 20, TotalBytes: 1 << 40})
			time.Sleep(time.Second)
			synctest.Wait()
		}
		free(1000)
		e := mustOpen(t, mem, Options{SnapshotBytes: -1})
		e.ops.stageBytes = testStage
		someSets(t, e, "k", 3)
		pages := 0
		e.checkpoints.Paged = func(page []byte) []byte {
			if pages++; pages == 2 {
				free(55) // what removes goes on: see Options.DiskReserve
			}
			return page
		}
		require.ErrorIs(t, install(e, t.Context(), "k00001", bigSet(t, 1200, 200)), ErrDiskFull)
		require.GreaterOrEqual(t, pages, 2)
		whole, err := onlyWhole(e, "k00001", 1200, "x=1 ")
		require.NoError(t, err)
		require.False(t, whole)
		free(1000)
		require.NoError(t, sound(e, 3))
		require.NoError(t, install(e, t.Context(), "k00001", bigSet(t, 1200, 200)))
		require.NoError(t, sound(e, 3))
		require.NoError(t, e.Close())
		e = mustOpen(t, mem, Options{})
		whole, err = onlyWhole(e, "k00001", 1200, "x=1 ")
		require.NoError(t, err)
		require.True(t, whole)
		require.NoError(t, e.Close())
	})
}

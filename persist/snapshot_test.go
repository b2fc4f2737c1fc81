package persist

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/wal"
)

// replayed lists the log that Replay shows.
func replayed(t *testing.T, s *Store) (out []string) {
	t.Helper()
	require.NoError(t, s.Replay(func(seq uint64, e wal.Effect) error {
		out = append(out, fmt.Sprintf("%d %v %s %s", seq, e.Kind, e.Set, e.Member))
		return nil
	}))
	return out
}

// pageKeys returns the number of pages in Pebble, with those that no record names.
func pageKeys(t *testing.T, d *pebbledb.DB) (n int) {
	t.Helper()
	from := []byte(format.PrefixPages)
	require.NoError(t, d.Scan(from, format.KeyAfter(from), format.NameOf(from), func(_, _ []byte) (bool, error) {
		n++
		return true, nil
	}))
	return n
}

func setRecord(t *testing.T, s *Store, key string) SetRecord {
	t.Helper()
	r, ok, err := s.Set(key)
	require.NoError(t, err)
	require.True(t, ok)
	return r
}

func allPages(s *Store, r SetRecord) (out []string, err error) {
	for p, err := range s.Pages(r) {
		if err != nil {
			return out, err
		}
		out = append(out, string(p))
	}
	return out, nil
}

// TestTruncation: a snapshot must delete the groups that end at or before upto, and no other ones. Replay must show only commits after
// upto, and the numbers of commits must go on after a reopen.
func TestTruncation(t *testing.T) {
	fs := MemFS()
	s := mustOpen(t, fs, Options{})
	for i := range 3 {
		mustAppend(t, s, put("a", fmt.Sprint(i), "v"))
	}
	release := holdCommitter(s)
	var b Batch
	for i := 3; i < 6; i++ { // one group: 4, 5, 6
		b.Reset()
		b.Put("a", fmt.Append(nil, i), nil)
		_, err := s.Append(&b)
		require.NoError(t, err)
	}
	release()
	require.NoError(t, s.Flush())
	before := s.LogBytes()

	sn, err := s.Snapshot(5)
	require.NoError(t, err)
	_, err = s.Snapshot(5)
	require.ErrorIs(t, err, ErrSnapshotRunning)
	require.NoError(t, sn.WriteSet("a", nil, 5, 5, pagesOf("one", "two")))
	require.NoError(t, sn.Publish())
	require.Error(t, sn.Publish())
	require.NoError(t, sn.Abort(), "after Publish it does nothing")
	require.Equal(t, uint64(4), s.log.Pointer().Start, "the group 4..6 straddles upto")
	require.LessOrEqual(t, s.LogBytes(), before)
	_, err = s.Snapshot(4)
	require.Error(t, err, "a snapshot never goes back")
	_, err = s.Snapshot(7)
	require.Error(t, err)

	require.NoError(t, s.Close())
	s = mustOpen(t, fs, Options{})
	require.Equal(t, []string{"6 put a 5"}, replayed(t, s))
	sn, err = s.Snapshot(6)
	require.NoError(t, err)
	require.NoError(t, sn.WriteSet("a", nil, 6, 6, pagesOf("three")))
	require.NoError(t, sn.Publish())
	require.Zero(t, s.LogBytes())
	require.Equal(t, 1, pageKeys(t, s.log.DB))

	require.NoError(t, s.Close())
	s = mustOpen(t, fs, Options{})
	require.Empty(t, replayed(t, s))
	require.Equal(t, uint64(6), s.LastSeq())
	require.Equal(t, uint64(7), mustAppend(t, s, put("a", "x", "y")))
	require.NoError(t, s.Close())
	s = mustOpen(t, fs, Options{})
	defer s.Close()
	require.Equal(t, []string{"7 put a x"}, replayed(t, s))
}

// TestSnapshotSets writes, drops and rewrites sets in two snapshots, and checks their records and pages. Nothing may change before
// Publish.
func TestSnapshotSets(t *testing.T) {
	fs := MemFS()
	s := mustOpen(t, fs, Options{})
	mustAppend(t, s, func(b *Batch) { b.Create("a", nil); b.Create("b", nil); b.Create("c", nil) })
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	many := make([]string, 20)
	for i := range many {
		many[i] = fmt.Sprint("page", i)
	}
	require.NoError(t, sn.WriteSet("a", []byte("ma"), 1, 7, pagesOf(many...)))
	require.NoError(t, sn.WriteSet("b", nil, 1, 0, pagesOf()))
	require.NoError(t, sn.WriteSet("c", nil, 1, 1, pagesOf("c")))
	require.Error(t, sn.WriteSet("a", nil, 1, 7, pagesOf()), "twice")
	require.Error(t, sn.WriteSet("d", nil, 0, 7, pagesOf()), "base below upto")
	require.Error(t, sn.WriteSet("d", nil, 2, 7, pagesOf()), "base beyond the log")
	require.NoError(t, sn.WriteSet("e", nil, 1, 1, pagesOf("e")))
	sn.DropSet("e")
	require.NoError(t, sn.Publish())
	require.Equal(t, 21, pageKeys(t, s.log.DB))
	a := setRecord(t, s, "a")
	require.Equal(t, []any{"a", []byte("ma"), uint64(1), 20, 7}, []any{a.Key, a.Meta, a.Base, a.Pages, a.Entries})
	got, err := allPages(s, a)
	require.NoError(t, err)
	require.Equal(t, many, got)
	_, ok, err := s.Set("e")
	require.NoError(t, err)
	require.False(t, ok)

	mustAppend(t, s, func(b *Batch) { b.Drop("c"); b.Put("a", nil, nil) })
	sn, err = s.Snapshot(2)
	require.NoError(t, err)
	require.NoError(t, sn.WriteSet("a", nil, 2, 7, pagesOf("new")))
	sn.DropSet("c")
	require.Equal(t, 21, pageKeys(t, s.log.DB), "nothing changes before Publish")
	require.NoError(t, sn.Publish())
	require.Equal(t, 1, pageKeys(t, s.log.DB))
	_, err = allPages(s, a)
	require.ErrorIs(t, err, ErrStale)
	require.Equal(t, "b", setRecord(t, s, "b").Key, "a set that is not written keeps its record")
	require.NoError(t, s.Close())
}

// TestPagesDuringPublish: an iteration over pages that has begun must see all of them, even if a snapshot replaces them.
func TestPagesDuringPublish(t *testing.T) {
	s := mustOpen(t, MemFS(), Options{})
	defer s.Close()
	mustAppend(t, s, put("a", "m", "v"))
	write := func(pages ...string) {
		sn, err := s.Snapshot(1)
		require.NoError(t, err)
		require.NoError(t, sn.WriteSet("a", nil, 1, 1, pagesOf(pages...)))
		require.NoError(t, sn.Publish())
	}
	write("1", "2", "3")
	n := 0
	for p, err := range s.Pages(setRecord(t, s, "a")) {
		require.NoError(t, err)
		n++
		require.Equal(t, fmt.Sprint(n), string(p))
		if n == 1 {
			write("x")
		}
	}
	require.Equal(t, 3, n)
}

// TestAbort: the pages of an aborted or a crashed snapshot must be deleted, and the next snapshot must work.
func TestAbort(t *testing.T) {
	mem := memfs.NewCrashable()
	s := mustOpen(t, mem, Options{})
	mustAppend(t, s, put("a", "m", "v"))
	page := string(make([]byte, 300<<10))
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	require.NoError(t, sn.WriteSet("a", nil, 1, 1, pagesOf(page, page, page, page, page)))
	require.Positive(t, pageKeys(t, s.log.DB))
	require.NoError(t, sn.Abort())
	require.NoError(t, sn.Abort())
	require.Error(t, sn.Publish())
	require.Error(t, sn.WriteSet("a", nil, 1, 1, pagesOf()))
	require.Zero(t, pageKeys(t, s.log.DB))
	require.Equal(t, []string{}, append([]string{}, setsOf(t, s)...))

	sn, err = s.Snapshot(1)
	require.NoError(t, err)
	require.NoError(t, sn.WriteSet("a", nil, 1, 1, pagesOf(page, page, page, page, page)))
	require.NoError(t, s.Flush())
	mustAppend(t, s, put("a", "m", "w")) // flushes the pages with it
	killed := mem.CrashClone(vfs.CrashCloneCfg{})
	raw(t, killed, func(db *pebble.DB) {
		x := &pebbledb.DB{Pebble: db}
		require.Positive(t, pageKeys(t, x), "the crash must have left pages, or this tests nothing")
	})
	s2 := mustOpen(t, killed, Options{})
	require.Zero(t, pageKeys(t, s2.log.DB))
	require.Equal(t, []string{"1 put a m", "2 put a m"}, replayed(t, s2))
	require.NoError(t, s2.Close())
	require.NoError(t, s.Close())
	require.ErrorIs(t, sn.Publish(), ErrClosed)
}

func setsOf(t *testing.T, s *Store) (out []string) {
	t.Helper()
	for r, err := range s.Sets() {
		require.NoError(t, err)
		out = append(out, r.Key)
	}
	return out
}

func TestPageTooLarge(t *testing.T) {
	s := mustOpen(t, MemFS(), Options{})
	defer s.Close()
	mustAppend(t, s, put("a", "m", "v"))
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	require.ErrorIs(t, sn.WriteSet("a", nil, 1, 1, pagesOf("ok", string(make([]byte, MaxCommit+1)))), ErrTooLarge)
	require.ErrorIs(t, sn.Publish(), ErrTooLarge, "a set that is half written is not published")
	require.NoError(t, sn.Abort())
	_, err = s.Snapshot(1)
	require.NoError(t, err)
}

// TestPublishAfterQueue checks P8: commits that are queued when Publish is called must be in the log before the snapshot counts.
func TestPublishAfterQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := memfs.NewCrashable()
		s := mustOpen(t, mem, Options{Level: None})
		release := holdCommitter(s)
		for range 3 {
			mustAppend(t, s, put("a", "m", "v"))
		}
		sn, err := s.Snapshot(1)
		require.NoError(t, err)
		require.NoError(t, sn.WriteSet("a", nil, 3, 0, pagesOf()))
		published := make(chan error)
		go func() { published <- sn.Publish() }()
		synctest.Wait() // Publish is queued behind the commits
		release()
		require.NoError(t, <-published)
		require.Equal(t, uint64(3), s.DurableSeq())
		require.Equal(t, uint64(3), lastAfterCrash(t, mem))
		require.NoError(t, s.Close())
	})
}

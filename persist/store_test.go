package persist

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/wal"
)

// requireWorld compares what a reopened store holds with the model.
func requireWorld(t *testing.T, s *Store, d *driver) {
	t.Helper()
	w, err := read(s)
	require.NoError(t, err)
	want, _ := d.at(s.LastSeq())
	require.Equal(t, want, w.String())
}

// groups counts the values in the log.
func groups(t *testing.T, s *Store) (n int) {
	t.Helper()
	cur := s.log.Pointer()
	c := format.Chain{Store: s.log.DB.ID.Hash(), Next: cur.Start, Prev: cur.Chain}
	require.NoError(t, commitlog.EachGroup(s.log.DB, func(format.Group, []byte) error { n++; return nil }, &c))
	return n
}

// TestReopen runs the same random history at each level, with snapshots, clean reopens and kills. Each reopened store must have all
// commits.
func TestReopen(t *testing.T) {
	for _, level := range []Level{Sync, Interval, None} {
		t.Run(level.String(), func(t *testing.T) {
			mem := memfs.NewCrashable()
			o := Options{FS: mem, Level: level}
			d := newDriver(mustOpen(t, mem, o), 1)
			for i := range 6 {
				require.NoError(t, d.commit(20))
				if i%2 == 1 {
					require.NoError(t, d.snapshot(i != 3))
				}
				require.NoError(t, d.commit(5))
				last := d.s.LastSeq()
				if i%3 == 0 { // kill: nothing is closed
					require.NoError(t, d.s.Flush())
					old := d.s
					defer old.Close()
					mem = mem.CrashClone(vfs.CrashCloneCfg{})
				} else {
					require.NoError(t, d.s.Close())
				}
				d.s = mustOpen(t, mem, o)
				require.Equal(t, last, d.s.LastSeq())
				require.Equal(t, last, d.s.DurableSeq())
				require.Equal(t, last, d.s.AppliedSeq())
				requireWorld(t, d.s, d)
			}
			require.NoError(t, d.s.Close())
		})
	}
}

func TestOnDisk(t *testing.T) {
	dir := t.TempDir() + "/a/b"
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	d := newDriver(s, 2)
	require.NoError(t, d.commit(50))
	require.NoError(t, d.snapshot(true))
	require.NoError(t, d.commit(50))
	n, err := s.DiskUsage()
	require.NoError(t, err)
	require.Positive(t, n)
	require.NoError(t, s.Close())
	d.s, err = Open(dir, Options{})
	require.NoError(t, err)
	requireWorld(t, d.s, d)
	require.NoError(t, d.s.Close())
}

// TestGroupCommit: callers that wait for the disk at the same time must share a flush. In each round all arrive during one flush.
func TestGroupCommit(t *testing.T) {
	s, err := Open(t.TempDir(), Options{})
	require.NoError(t, err)
	defer s.Close()
	const callers, each = 64, 50
	for i := range each {
		shareFlush(t, s, callers, i)
	}
	require.Equal(t, uint64(callers*each), s.LastSeq())
	require.Equal(t, each, groups(t, s))
}

// TestManyCallers: when Wait returns at level Sync, the commit must be durable, with many concurrent callers.
func TestManyCallers(t *testing.T) {
	s, err := Open(t.TempDir(), Options{})
	require.NoError(t, err)
	defer s.Close()
	const callers, each = 64, 50
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			var b Batch
			for i := range each {
				b.Reset()
				b.Put("set", fmt.Appendf(nil, "m%d", c), fmt.Append(nil, i))
				seq, err := s.Append(&b)
				if err == nil {
					err = s.Wait(t.Context(), seq)
				}
				if err != nil || s.DurableSeq() < seq {
					t.Errorf("commit %d: %v, durable %d", seq, err, s.DurableSeq())
					return
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, uint64(callers*each), s.LastSeq())
	t.Logf("%d commits of %d callers in %d groups", callers*each, callers, groups(t, s))
}

// shareFlush lets callers commit and wait while the committer is busy.
func shareFlush(t *testing.T, s *Store, callers, value int) {
	t.Helper()
	release := holdCommitter(s)
	before := s.LastSeq()
	results := make(chan error, callers)
	for c := range callers {
		go func() {
			var b Batch
			b.Put("set", fmt.Appendf(nil, "m%d", c), fmt.Append(nil, value))
			seq, err := s.Append(&b)
			if err == nil {
				err = s.Wait(t.Context(), seq)
			}
			if err == nil && s.DurableSeq() < seq {
				err = fmt.Errorf("commit %d: durable %d", seq, s.DurableSeq())
			}
			results <- err
		}()
	}
	for s.LastSeq() < before+uint64(callers) {
		runtime.Gosched()
	}
	release()
	for range callers {
		require.NoError(t, <-results)
	}
}

// TestGroupsAreCut: the committer must divide a long queue into groups of GroupSize, but never divide a commit.
func TestGroupsAreCut(t *testing.T) {
	fs := MemFS()
	s := mustOpen(t, fs, Options{Level: None})
	var b Batch
	value := make([]byte, 100<<10)
	release := holdCommitter(s)
	for range 20 {
		b.Reset()
		b.Put("s", []byte("m"), value)
		_, err := s.Append(&b)
		require.NoError(t, err)
	}
	b.Reset()
	for i := range 20 {
		b.Put("s", u64(uint64(i)), value)
	}
	_, err := s.Append(&b)
	require.NoError(t, err)
	release()
	require.NoError(t, s.Flush())
	var sizes []int
	c := format.Chain{Store: s.log.DB.ID.Hash(), Next: 1}
	require.NoError(t, commitlog.EachGroup(s.log.DB, func(g format.Group, v []byte) error { sizes = append(sizes, len(v)); return nil }, &c))
	require.Greater(t, sizes[len(sizes)-1], 20*len(value), "the large commit is one group")
	for _, n := range sizes[:len(sizes)-1] {
		require.LessOrEqual(t, n, commitlog.GroupSize+format.GroupHeader+format.GroupTrailer+64)
	}
	require.LessOrEqual(t, len(sizes), 13)
	require.NoError(t, s.Close())
}

func TestTooLarge(t *testing.T) {
	s := mustOpen(t, MemFS(), Options{})
	defer s.Close()
	var b Batch
	b.Put("s", []byte("m"), make([]byte, MaxCommit))
	_, err := s.Append(&b)
	require.ErrorIs(t, err, ErrTooLarge)
	require.Zero(t, s.LastSeq())
	b.Reset()
	b.PutPrivate([]byte("k"), make([]byte, MaxCommit-16))
	seq, err := s.Append(&b)
	require.NoError(t, err)
	require.NoError(t, s.Wait(t.Context(), seq))
	v, ok, err := s.Private([]byte("k"))
	require.NoError(t, err)
	require.True(t, ok && len(v) == MaxCommit-16)
}

// TestBatch checks the length of a batch, that it copies its arguments, that an empty batch is no commit, and that a reused batch does not
// allocate.
func TestBatch(t *testing.T) {
	s := mustOpen(t, MemFS(), Options{})
	defer s.Close()
	mustAppend(t, s, put("s", "m", "1"))
	var b Batch
	require.Zero(t, b.Len())
	seq, err := s.Append(&b)
	require.NoError(t, err)
	require.Equal(t, uint64(1), seq, "an empty batch is no commit")
	member := []byte("m")
	b.Put("s", member, []byte("2"))
	member[0] = 'x'
	b.DeletePrivate([]byte("k"))
	require.Equal(t, 2, b.Len())
	seq, err = s.Append(&b)
	require.NoError(t, err)
	require.Equal(t, uint64(2), seq)
	b.Reset()
	require.Zero(t, b.Len())
	require.NoError(t, s.Wait(t.Context(), seq))
	require.Error(t, s.Wait(t.Context(), 3), "a commit that does not exist")
	require.Error(t, s.Replay(nil), "Replay is allowed only before the first Append")
	require.Zero(t, testing.AllocsPerRun(100, func() {
		b.Reset()
		b.Put("s", member, member)
		b.Remove("s", member)
		b.Put("t", member, member)
		b.PutPrivate(member, member)
	}))
}

// TestPrivate writes and deletes private keys in one commit, and reads them after a reopen: one by one, and by prefix.
func TestPrivate(t *testing.T) {
	fs := MemFS()
	s := mustOpen(t, fs, Options{})
	mustAppend(t, s, func(b *Batch) {
		b.PutPrivate([]byte("a"), []byte("1"))
		b.PutPrivate([]byte("a"), []byte("2"))
		b.PutPrivate([]byte("b\xff\xff"), nil)
		b.PutPrivate([]byte("b\xff\xff\x01"), []byte("3"))
		b.PutPrivate([]byte("c"), []byte("4"))
		b.DeletePrivate([]byte("c"))
		b.PutPrivate(nil, []byte("5"))
	})
	require.Equal(t, uint64(1), s.AppliedSeq())
	require.NoError(t, s.Close())
	s = mustOpen(t, fs, Options{})
	defer s.Close()
	require.Equal(t, uint64(1), s.LastSeq(), "private keys take part in the numbering")
	require.NoError(t, s.Replay(func(uint64, wal.Effect) error { t.Error("no effects"); return nil }))
	v, ok, err := s.Private([]byte("a"))
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "2", string(v))
	_, ok, err = s.Private([]byte("c"))
	require.NoError(t, err)
	require.False(t, ok)
	keys := func(prefix string) (out []string) {
		for kv, err := range s.ScanPrivate([]byte(prefix)) {
			require.NoError(t, err)
			out = append(out, string(kv.Key)+"="+string(kv.Value))
		}
		return out
	}
	require.Equal(t, []string{"=5", "a=2", "b\xff\xff=", "b\xff\xff\x01=3"}, keys(""))
	require.Equal(t, []string{"b\xff\xff=", "b\xff\xff\x01=3"}, keys("b\xff\xff"))
	require.Empty(t, keys("c"))
}

// TestNames: the name of a set may be any bytes.
func TestNames(t *testing.T) {
	fs := MemFS()
	s := mustOpen(t, fs, Options{})
	names := []string{"", "/", "\x00", "\xff\xff", "a/b", string(bytes.Repeat([]byte("long"), 5000)), "é"}
	mustAppend(t, s, func(b *Batch) {
		for _, n := range names {
			b.Create(n, []byte(n))
		}
	})
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	for _, n := range names[:4] {
		require.NoError(t, sn.WriteSet(n, []byte(n), 1, 1, pagesOf(n)))
	}
	require.NoError(t, sn.Publish())
	require.NoError(t, s.Close())
	s = mustOpen(t, fs, Options{})
	defer s.Close()
	var found []string
	for r, err := range s.Sets() {
		require.NoError(t, err)
		require.Equal(t, r.Key, string(r.Meta))
		for p, err := range s.Pages(r) {
			require.NoError(t, err)
			require.Equal(t, r.Key, string(p))
		}
		found = append(found, r.Key)
	}
	require.ElementsMatch(t, names[:4], found)
}

func TestOptions(t *testing.T) {
	require.NoError(t, Options{}.Validate())
	err := Options{Level: 9, Interval: -1, TailBytes: -3}.Validate()
	require.ErrorContains(t, err, "TailBytes is -3")
	require.ErrorContains(t, err, "Level is 9")
	require.ErrorContains(t, err, "Interval is -1ns")
	_, err = Open("x", Options{Interval: math.MaxInt64})
	require.Error(t, err)
	_, err = Open("", Options{})
	require.Error(t, err)
	for _, l := range []Level{Sync, Interval, None} {
		got, err := ParseLevel(l.String())
		require.NoError(t, err)
		require.Equal(t, l, got)
	}
	_, err = ParseLevel("fsync")
	require.Error(t, err)
	require.Equal(t, "Level(7)", Level(7).String())
	require.Equal(t, "put Kind(0) Kind(9)", fmt.Sprint(wal.Put, " ", wal.Kind(0), " ", wal.Kind(9)))
}

// raw opens the Pebble database of a closed store and lets change write to it directly.
func raw(t *testing.T, fs FS, change func(db *pebble.DB)) {
	t.Helper()
	s := pebbledb.New("db", Options{FS: fs}.withDefaults().database())
	require.NoError(t, s.Open(pebbledb.ReadWrite))
	change(s.Pebble)
	require.NoError(t, s.Pebble.Close())
}

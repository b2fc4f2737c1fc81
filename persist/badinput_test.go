package persist

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/wal"
)

// dump returns all keys and values of a store.
func dump(t *testing.T, s *Store) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, s.log.DB.Scan(nil, nil, func() string { return "everything" }, func(k, v []byte) (bool, error) {
		fmt.Fprintf(&b, "%q=%d:%x\n", k, len(v), format.Checksum(v))
		return true, nil
	}))
	return b.String()
}

// badCalls are calls with impossible arguments on a store with two commits and a snapshot up to the first.
var badCalls = []struct {
	name string
	do   func(s *Store) error
	want error // nil: any error
}{
	{"a commit too large", func(s *Store) error {
		var b Batch
		b.Put("s", nil, make([]byte, MaxCommit+1))
		_, err := s.Append(&b)
		return err
	}, ErrTooLarge},
	{"private keys too large", func(s *Store) error {
		var b Batch
		b.PutPrivate(make([]byte, MaxCommit/2+1), make([]byte, MaxCommit/2+1))
		_, err := s.Append(&b)
		return err
	}, ErrTooLarge},
	{"wait for a commit to come", func(s *Store) error { return s.Wait(context.Background(), 3) }, nil},
	{"wait for the last number there is", func(s *Store) error { return s.Wait(context.Background(), math.MaxUint64) }, nil},
	{"snapshot of a commit to come", func(s *Store) error { _, err := s.Snapshot(3); return err }, nil},
	{"snapshot below the last one", func(s *Store) error { _, err := s.Snapshot(0); return err }, nil},
	{"two snapshots at a time", func(s *Store) error {
		sn, err := s.Snapshot(1)
		if err != nil {
			return nil
		}
		_, err = s.Snapshot(1)
		return errors.Join(err, sn.Abort())
	}, ErrSnapshotRunning},
	{"publish after abort", func(s *Store) error {
		sn, err := s.Snapshot(1)
		if err != nil || sn.Abort() != nil {
			return nil
		}
		return sn.Publish()
	}, nil},
	{"replay after a commit", func(s *Store) error { return s.Replay(func(uint64, wal.Effect) error { return nil }) }, nil},
	{"open it again", func(s *Store) error { _, err := Open("db", Options{FS: s.log.DB.FS}); return err }, ErrLocked},
}

// TestBadInput makes calls with invalid arguments. Each must return its error, and must not change the store.
func TestBadInput(t *testing.T) {
	fs := MemFS()
	s := mustOpen(t, fs, Options{})
	mustAppend(t, s, func(b *Batch) {
		b.Create("s", nil)
		b.Put("s", []byte("m"), []byte("v"))
		b.PutPrivate(nil, nil)
	})
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	require.NoError(t, sn.Publish())
	mustAppend(t, s, put("s", "m", "w"))
	before := dump(t, s)
	for _, c := range badCalls {
		err := c.do(s)
		require.Error(t, err, c.name)
		if c.want != nil {
			require.ErrorIs(t, err, c.want, c.name)
		}
		require.Equal(t, before, dump(t, s), c.name)
		require.Equal(t, []uint64{2, 2, 2}, []uint64{s.LastSeq(), s.AppliedSeq(), s.DurableSeq()}, c.name)
	}
	var empty Batch
	seq, err := s.Append(&empty)
	require.NoError(t, err)
	require.Equal(t, uint64(2), seq)
	require.NoError(t, s.Close())
	s = mustOpen(t, fs, Options{})
	require.Equal(t, uint64(2), s.LastSeq())
	require.NoError(t, s.Close())
	paths := badPaths(t)
	options := badOptions(t)
	matrix.Row(t, 49, "%d impossible calls, %d impossible directories, %d impossible options: each its error, nothing changed", len(badCalls), paths, options)
}

func badOptions(t *testing.T) int {
	bad := []Options{{Level: 3}, {Level: 255}, {Interval: -1}, {Interval: 1}, {Interval: math.MinInt64}, {Interval: math.MaxInt64},
		{Interval: time.Hour + 1}, {MustExist: true}}
	for _, o := range bad {
		o.FS = MemFS()
		_, err := Open("db", o)
		require.Error(t, err, "%+v", o)
		names, err := o.FS.List("/")
		require.NoError(t, err)
		require.Empty(t, names, "%+v", o)
	}
	return len(bad)
}

// listing lists all files below a directory, with their sizes.
func listing(t *testing.T, dir string) (list []string) {
	t.Helper()
	require.NoError(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			list = append(list, fmt.Sprintf("%s %d %v", path, info.Size(), info.Mode()))
		}
		return err
	}))
	return list
}

// badPaths calls Open with paths that are not directories, or directories with foreign files. Open must return an error and change
// nothing. badPaths returns the number of paths.
func badPaths(t *testing.T) int {
	base := t.TempDir()
	write := func(name string) {
		path := filepath.Join(base, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("MANIFEST-000001\n"), 0o644))
	}
	write("file")
	write("foreign/notes.txt")
	write("leveldb/CURRENT") // also RocksDB's and an older Pebble's
	write("leveldb/MANIFEST-000001")
	write("half/db/CURRENT")
	require.NoError(t, os.Symlink("loop", filepath.Join(base, "loop")))
	require.NoError(t, os.Symlink("nowhere/at/all", filepath.Join(base, "dangling")))
	bad := []string{"file", "file/below", "foreign", "leveldb", "half", "loop", "dangling", strings.Repeat("long", 100), "nul\x00byte"}
	before := listing(t, base)
	for _, name := range bad {
		_, err := Open(filepath.Join(base, name), Options{})
		require.Error(t, err, "%q", name)
		require.Equal(t, before, listing(t, base), "%q", name)
	}
	_, err := Open("", Options{})
	require.Error(t, err)
	return len(bad) + 1
}

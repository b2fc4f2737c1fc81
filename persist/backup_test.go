package persist

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// busy is a store with a background goroutine that commits and takes snapshots all the time.
type busy struct {
	d    *driver
	stop atomic.Bool
	done chan error
}

func startBusy(s *Store, seed uint64) *busy {
	b := &busy{d: newDriver(s, seed), done: make(chan error, 1)}
	go func() { b.done <- b.run() }()
	return b
}

func (b *busy) run() error {
	for i := 0; !b.stop.Load(); i++ {
		if err := b.d.commit(1 + b.d.rng.IntN(5)); err != nil {
			return err
		}
		if i%10 == 9 {
			if err := b.d.snapshot(i%30 != 29); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *busy) end() error {
	b.stop.Store(true)
	return <-b.done
}

// opensAs opens a copy, which must have at least a given number of commits, and compares it with the model after its last commit.
func opensAs(fs FS, dir string, d *driver, least uint64) (format.StoreID, error) {
	s, err := open(dir, Options{FS: fs, MustExist: true}, small)
	if err != nil {
		return format.StoreID{}, err
	}
	return s.log.DB.ID, errors.Join(compare(s, d, least), s.Close())
}

// backups takes backups while commits and snapshots go on, and opens each one, and a restored one beside it.
func backups(seed uint64, level Level, n int) (commits uint64, err error) {
	fs := MemFS()
	s, err := open("db", Options{FS: fs, Level: level}, small)
	if err != nil {
		return 0, err
	}
	b := startBusy(s, seed)
	for i := range n {
		at, ctx := s.LastSeq(), context.Background()
		backup, copied := fmt.Sprintf("backups/%d", i), fmt.Sprintf("copies/%d", i)
		if err := s.Backup(ctx, backup); err != nil {
			return 0, errors.Join(err, b.end())
		}
		rep, err := Restore(ctx, backup, copied, Options{FS: fs})
		if err == nil && rep.LastSeq < at {
			err = fmt.Errorf("%d commits restored, %d were made before the backup", rep.LastSeq, at)
		}
		old, err1 := opensAs(fs, backup, b.d, at)
		fresh, err2 := opensAs(fs, copied, b.d, at)
		if err = errors.Join(err, err1, err2); err == nil && (old != s.log.DB.ID || fresh == s.log.DB.ID) {
			err = fmt.Errorf("store %x, its backup %x, restored as %x", s.log.DB.ID, old, fresh)
		}
		if err != nil {
			return 0, errors.Join(fmt.Errorf("backup %d: %w", i, err), b.end(), s.Close())
		}
	}
	return s.LastSeq(), errors.Join(b.end(), s.Close())
}

// TestBackupUnderLoad takes backups under load, and restores them.
func TestBackupUnderLoad(t *testing.T) {
	n, commits := matrix.Pick(5, 100), uint64(0)
	for seed, level := range []Level{Sync, Interval, None} {
		c, err := backups(uint64(seed), level, n)
		require.NoError(t, err, "seed %d, level %v", seed, level)
		commits += c
	}
	matrix.Row(t, 44, "%d backups under load, all opened, and restored under a new id; %d commits", 3*n, commits)
}

// TestBackupWhileLogIsOverwritten: commits fill a recycled file of Pebble's log while a backup copies it. The copy has old bytes in the first
// block and new ones in the second, which Pebble takes for damage, so the backup must copy the log again: once more, or at last while no
// commit is written.
func TestBackupWhileLogIsOverwritten(t *testing.T) {
	for spoiled := range 2 {
		for try := 0; copiesOf(t, spoiled+1) != spoiled+2; try++ { // Pebble does not use a recycled file every time
			require.Less(t, try, 100)
		}
	}
}

// copiesOf takes a backup, overwrites the log during the first copies of it, and returns the number of copies.
func copiesOf(t *testing.T, spoiled int) (copies int) {
	var d *driver
	var left atomic.Int64
	reads := map[string]int{} // in this copy
	fs := errorfs.Wrap(memfs.New(), errorfs.InjectorFunc(func(op errorfs.Op) error {
		switch {
		case op.Kind == errorfs.OpMkdirAll && strings.HasPrefix(op.Path, "backup") && path.Base(op.Path) == "db":
			copies++
			clear(reads)
		case left.Load() == 0:
		case op.Kind == errorfs.OpFileRead && path.Ext(op.Path) == ".log" && strings.HasPrefix(op.Path, "db/"):
			if reads[op.Path]++; reads[op.Path] == 2 {
				left.Add(-1)
				return d.commit(200)
			}
		}
		return nil
	}))
	s, err := open("db", Options{FS: fs, Level: Sync}, small)
	require.NoError(t, err)
	d = newDriver(s, uint64(time.Now().UnixNano()))
	require.NoError(t, d.commit(1000)) // fills several files of the log
	least := s.LastSeq()
	left.Store(int64(spoiled))
	require.NoError(t, s.Backup(t.Context(), "backup"))
	left.Store(0)
	_, err = opensAs(fs, "backup", d, least)
	require.NoError(t, errors.Join(err, s.Close()))
	return copies
}

// TestBackupSurvivesPowerCut cuts the power before every operation of a backup and a restore. If a directory with the requested name
// opens as a store afterwards, it must be complete. The source store must open too.
func TestBackupSurvivesPowerCut(t *testing.T) {
	c := &crasher{mem: memfs.NewCrashable(), ways: []int{0, 50, 100}, out: make(chan crashed, 16)}
	c.switchOff(true)
	d := newDriver(nil, 1)
	c.acked = d.acked.Load
	fs := errorfs.Wrap(c.mem, c)
	var err error
	d.s, err = open("db", Options{FS: fs, StallTimeout: time.Hour}, small)
	require.NoError(t, err)
	require.NoError(t, d.commit(100))
	require.NoError(t, d.snapshot(true))
	require.NoError(t, d.commit(20))
	var whole atomic.Uint64
	stop := c.start(func(x crashed) error {
		for _, dir := range []string{"x/backup", "x/copy"} {
			_, err := opensAs(x.fs, dir, d, x.acked)
			if err == nil {
				whole.Add(1)
			} else if !errors.Is(err, ErrNotStore) {
				return fmt.Errorf("%s: %w", dir, err)
			}
			if _, err := opensAs(x.fs, dir+".tmp", d, x.acked); err != nil && !errors.Is(err, ErrNotStore) {
				return fmt.Errorf("%s.tmp: %w", dir, err)
			}
		}
		return checkState(x.fs, d, x.acked)
	})
	c.switchOff(false)
	err = d.s.Backup(t.Context(), "x/backup")
	if err == nil {
		_, err = Restore(t.Context(), "x/backup", "x/copy", Options{FS: fs})
	}
	bad := stop()
	require.NoError(t, err)
	require.NoError(t, d.s.Close())
	for _, err := range bad[:min(len(bad), 3)] {
		t.Error(err)
	}
	matrix.Row(t, 44, "power cut at %d points of a backup and a restore, %d times: %d halves that open as whole; %d finished ones",
		c.points.Load(), c.runs.Load(), len(bad), whole.Load())
}

// TestBackupFails fails the n-th operation on the destination, for each n. Backup must return the error and remove the copy, or succeed
// with a complete copy, and the store must go on. After the final rename, only the last flush can fail; then the copy is complete.
func TestBackupFails(t *testing.T) {
	tried := 0
	for n := int64(0); ; n++ {
		f := &faulty{match: func(op errorfs.Op) bool {
			return op.Kind.ReadOrWrite() == errorfs.OpIsWrite && op.Kind != errorfs.OpRemoveAll && strings.Contains(op.Path, "backup")
		}, once: true}
		f.left.Store(n)
		fs := errorfs.Wrap(memfs.NewCrashable(), f)
		s, err := open("db", Options{FS: fs}, small)
		require.NoError(t, err)
		d := newDriver(s, 3)
		require.NoError(t, d.commit(60))
		err = s.Backup(t.Context(), "backup")
		if !f.hit.Load() {
			require.NoError(t, err)
			require.NoError(t, s.Close())
			break
		}
		tried++
		if err == nil { // a failed close or link does no harm: Pebble copies a file that it cannot link
			_, err = opensAs(fs, "backup", d, s.LastSeq())
			require.NoError(t, err)
			require.NoError(t, s.Close())
			continue
		}
		require.ErrorIs(t, err, syscall.EIO)
		if _, err := fs.Stat("backup"); err == nil { // the flush after the rename failed
			_, err = opensAs(fs, "backup", d, s.LastSeq())
			require.NoError(t, err)
		} else {
			_, err = fs.Stat("backup.tmp")
			require.ErrorIs(t, err, os.ErrNotExist)
			require.NoError(t, s.Backup(t.Context(), "backup"))
		}
		require.NoError(t, d.commit(3))
		require.NoError(t, s.Close())
	}
	require.Greater(t, tried, 10)
	t.Logf("%d operations failed, one a run", tried)
}

// TestBackupAfterCutInOpen cuts the power at each write or flush of an Open, opens what is left, and takes a backup at once. After some
// of these cuts Pebble has nothing to replay.
func TestBackupAfterCutInOpen(t *testing.T) {
	fs := memfs.NewCrashable()
	s := mustOpen(t, fs, Options{})
	last := mustAppend(t, s, put("a", "m", "1"))
	killed := fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rand.New(rand.NewPCG(1, 1))})
	require.NoError(t, s.Close())
	at := 1
	for ; ; at++ {
		mem, n := killed.CrashClone(vfs.CrashCloneCfg{}), 0
		var left *memfs.FS
		watched := powercut.Before(mem, func(errorfs.Op) {
			if n++; n == at {
				left = mem.CrashClone(vfs.CrashCloneCfg{})
			}
		})
		require.NoError(t, mustOpen(t, watched, Options{StallTimeout: time.Hour}).Close())
		if left == nil {
			break
		}
		s := mustOpen(t, left, Options{})
		require.NoError(t, s.Backup(t.Context(), "backup"), "cut %d", at)
		rep, err := Restore(t.Context(), "backup", "copy", Options{FS: left})
		require.NoError(t, err)
		require.Equal(t, last, rep.LastSeq)
		require.NoError(t, s.Close())
	}
	t.Logf("%d cuts", at-1)
}

// TestBackupRefuses: Backup and Restore must refuse destinations that exist or are inside the store, and sources that are in use.
func TestBackupRefuses(t *testing.T) {
	fs, ctx := MemFS(), context.Background()
	s := mustOpen(t, fs, Options{})
	mustAppend(t, s, put("a", "x", "1"))
	for _, name := range []string{"full", "half.tmp"} {
		require.NoError(t, fs.MkdirAll(name, 0o755))
		require.NoError(t, storedir.WriteFile(fs, fs.PathJoin(name, "mine"), []byte("1")))
	}
	require.ErrorIs(t, s.Backup(ctx, "full"), ErrExists)
	require.ErrorIs(t, s.Backup(ctx, "half"), ErrExists)
	require.ErrorContains(t, s.Backup(ctx, "db/backup"), "inside")
	require.ErrorContains(t, s.Backup(ctx, "db"), "inside")
	require.NoError(t, fs.MkdirAll("empty", 0o755))
	require.NoError(t, s.Backup(ctx, "empty"))
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, s.Backup(cancelled, "never"), context.Canceled)
	_, err := Restore(ctx, "db", "never", Options{FS: fs})
	require.ErrorIs(t, err, ErrLocked)
	_, err = Restore(ctx, "full", "never", Options{FS: fs})
	require.ErrorIs(t, err, ErrNotStore)
	_, err = Restore(ctx, "empty", "full", Options{FS: fs})
	require.ErrorIs(t, err, ErrExists)
	for _, name := range []string{"never", "never.tmp"} {
		_, err = fs.Stat(name)
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	require.NoError(t, s.Close())
	require.ErrorIs(t, s.Backup(ctx, "late"), ErrClosed)
}

// copyDir copies a directory file by file in random order, as cp -r would while the store is open. It calls between between any two
// pieces. It skips files that vanish meanwhile.
func copyDir(fs FS, from, to string, rng *rand.Rand, between func()) error {
	names, err := fs.List(from)
	if err != nil {
		return err
	}
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	if err := fs.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, name := range names {
		src, dst := fs.PathJoin(from, name), fs.PathJoin(to, name)
		info, err := fs.Stat(src)
		switch {
		case errors.Is(err, os.ErrNotExist):
			continue
		case err != nil:
			return err
		case info.IsDir():
			if err := copyDir(fs, src, dst, rng, between); err != nil {
				return err
			}
			continue
		}
		b, err := readAll(fs, src, between)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = storedir.WriteFile(fs, dst, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readAll reads a file that grows, in pieces.
func readAll(fs FS, name string, between func()) ([]byte, error) {
	f, err := fs.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b []byte
	piece := make([]byte, 16<<10)
	for {
		between()
		n, err := f.Read(piece)
		b = append(b, piece[:n]...)
		if err != nil || n == 0 {
			return b, nil
		}
	}
}

package persist

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/recovery"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// cutLog cuts the newest log at every step-th byte of its last part, and at every one of its last bytes.
func cutLog(part, step, last int) (*damages, error) {
	r := &damages{}
	fill := both(grow(600, 100), markNow, func(d *driver) error { return d.commit(8) })
	v, err := newVictim(9, nil, fill)
	if err != nil {
		return r, err
	}
	path, log := v.liveLog()
	var at []int
	for i := max(0, len(log)-part); i < len(log); i++ {
		if i%step == 0 || i >= len(log)-last {
			at = append(at, i)
		}
	}
	marked := v.d.acked.Load() - 8
	v.d.acked.Store(marked) // what the mark covers: the rest may be taken for a torn write
	r.each(v, len(at), func(i int) (string, func(*memfs.FS) error) {
		return fmt.Sprintf("cut at %d of %d", at[i], len(log)), func(fs *memfs.FS) error { return edit(fs, path, cut(at[i])) }
	})
	return r, r.err(0)
}

func TestLogCutAtAnyByte(t *testing.T) {
	r, err := cutLog(matrix.Pick(16, 64)<<10, matrix.Pick(251, 1), matrix.Pick(160, 512))
	require.NoError(t, err)
	matrix.Row(t, 9, "newest log cut: %v", r)
}

// flipLog flips bits all over the newest log. If mark is true, the high-water mark is from the last commit, otherwise from the creation
// of the store.
func flipLog(commits, size, flips int, mark bool) (*damages, error) {
	r := &damages{}
	v, err := newVictim(10, nil, both(grow(commits, size), markNow))
	if err != nil {
		return r, err
	}
	if !mark {
		m, err := storedir.ReadMark(v.disk, "db")
		m.Durable, m.Chain = 0, 0
		if err == nil {
			_, err = storedir.WriteMarkFile(v.disk, "db", m)
		}
		if err != nil {
			return r, err
		}
		v.d.acked.Add(^uint64(0)) // the last group may be taken for a torn write
	}
	path, log := v.liveLog()
	r.each(v, flips, func(i int) (string, func(*memfs.FS) error) {
		at := int(float64(len(log)) * (float64(i) + 0.5) / float64(flips))
		return fmt.Sprintf("flip at %d of %d", at, len(log)), func(fs *memfs.FS) error { return edit(fs, path, flip(at, byte(i))) }
	})
	return r, r.err(0)
}

func TestBitFlipInLiveLog(t *testing.T) {
	flips := matrix.Pick(2, 2000)
	for _, c := range []struct{ commits, size int }{
		{matrix.Pick(200, 2000), 100}, {matrix.Pick(60, 200), 8 << 10}, {matrix.Pick(15, 40), 65 << 10},
	} {
		for _, mark := range []bool{true, false} {
			r, err := flipLog(c.commits, c.size, flips, mark)
			require.NoError(t, err)
			with := map[bool]string{true: "a mark of the last second", false: "no mark, the last group may go"}[mark]
			matrix.Row(t, 10, "%d groups of %d bytes, %s: %v", c.commits, c.size, with, r)
		}
	}
}

// closedLogs returns a victim with two logs that Pebble must replay: the older one is closed, the newer one is not.
func closedLogs() (*victim, error) {
	mem := memfs.NewCrashable()
	var hold atomic.Bool
	held := make(chan struct{})
	fs := errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpCreate && strings.HasSuffix(op.Path, ".sst") && hold.Load() {
			<-held
		}
		return nil
	}))
	s, err := open("db", Options{FS: fs}, small)
	if err != nil {
		return nil, err
	}
	hold.Store(true)
	d := newDriver(s, 11)
	err = errors.Join(grow(100, 1000)(d), markNow(d))
	v := &victim{disk: mem.CrashClone(vfs.CrashCloneCfg{}), d: d}
	close(held)
	return v, errors.Join(err, s.Close())
}

// flipClosed flips bits all over the closed logs that Pebble still replays, and deletes each of these logs.
func flipClosed(flips int) (*damages, error) {
	r := &damages{}
	v, err := closedLogs()
	if err != nil {
		return r, err
	}
	logs := filesLike(v.disk, recovery.WalSuffix)
	if len(logs) < 2 {
		return r, fmt.Errorf("%d logs", len(logs))
	}
	for _, path := range logs[:len(logs)-1] {
		log, err := storedir.ReadWhole(v.disk, path)
		if err != nil {
			return r, err
		}
		r.each(v, flips, func(i int) (string, func(*memfs.FS) error) {
			at := int(float64(len(log)) * (float64(i) + 0.5) / float64(flips))
			return fmt.Sprintf("flip at %d of %s", at, path), func(fs *memfs.FS) error { return edit(fs, path, flip(at, byte(i))) }
		})
		r.each(v, 1, func(int) (string, func(*memfs.FS) error) {
			return "delete " + path, func(fs *memfs.FS) error { return fs.Remove(path) }
		})
	}
	return r, r.err(0)
}

func TestBitFlipInClosedLog(t *testing.T) {
	r, err := flipClosed(matrix.Pick(12, 1000))
	require.NoError(t, err)
	require.Positive(t, r.count[refused])
	matrix.Row(t, 11, "closed log flipped or deleted: %v", r)
}

// swapGroup replaces a group in the middle of the log by another valid group of the same store. Open must refuse the store.
func swapGroup() error {
	v, err := newVictim(18, nil, both(grow(8, 100), markNow))
	if err != nil {
		return err
	}
	got, err := v.try(func(fs *memfs.FS) error {
		s := pebbledb.New("db", Options{FS: fs}.withDefaults().database())
		if err := s.Open(pebbledb.ReadWrite); err != nil {
			return err
		}
		value, err := s.Must(format.KeyLog(4))
		if err != nil {
			return err
		}
		g, _, err := format.OpenGroup(value)
		if err != nil {
			return err
		}
		var b Batch
		b.Put("a", []byte("m0"), []byte("forged"))
		sealed, _ := g.Seal(format.AppendBytes(make([]byte, format.GroupHeader), format.CommitBody(&b.b)))
		return errors.Join(s.Pebble.Set(format.KeyLog(4), sealed, pebble.Sync), s.Pebble.Close())
	})
	if err == nil && got != refused {
		err = fmt.Errorf("a swapped group was not seen: verdict %d", got)
	}
	return err
}

func TestSwappedGroup(t *testing.T) { require.NoError(t, swapGroup()) }

// acknowledgedAtOnce cuts the power right after the first commit of a new store was acknowledged.
func acknowledgedAtOnce() error {
	v, err := newVictim(19, nil, grow(1, 100))
	if err != nil {
		return err
	}
	return checkState(v.disk, v.d, v.d.acked.Load())
}

func TestFirstCommit(t *testing.T) { require.NoError(t, acknowledgedAtOnce()) }

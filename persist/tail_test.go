package persist

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
)

// sector is the number of bytes that a disk writes atomically.
const sector = 512

// tailFS counts the flushed bytes of each file, and calls before with that number ahead of each write and flush of Pebble's log.
type tailFS struct {
	vfs.FS
	before func(path string, flushed int64)
}

func (fs *tailFS) Unwrap() vfs.FS { return fs.FS }

func (fs *tailFS) wrap(f vfs.File, path string, err error) (vfs.File, error) {
	if err != nil || !strings.HasSuffix(path, ".log") {
		return f, err
	}
	return &tailFile{File: f, fs: fs, path: path}, nil
}

func (fs *tailFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := fs.FS.Create(name, c)
	return fs.wrap(f, name, err)
}

func (fs *tailFS) ReuseForWrite(oldname, newname string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := fs.FS.ReuseForWrite(oldname, newname, c)
	return fs.wrap(f, newname, err)
}

type tailFile struct {
	vfs.File
	fs               *tailFS
	path             string
	written, flushed int64
}

func (f *tailFile) Write(p []byte) (int, error) {
	f.fs.before(f.path, f.flushed)
	n, err := f.File.Write(p)
	f.written += int64(n)
	return n, err
}

func (f *tailFile) noted(err error) error {
	if err == nil {
		f.flushed = f.written
	}
	return err
}

func (f *tailFile) Sync() error {
	f.fs.before(f.path, f.flushed)
	return f.noted(f.File.Sync())
}

func (f *tailFile) SyncData() error {
	f.fs.before(f.path, f.flushed)
	return f.noted(f.File.SyncData())
}

func (f *tailFile) SyncTo(n int64) (bool, error) {
	full, err := f.File.SyncTo(n)
	if full {
		err = f.noted(err)
	}
	return full, err
}

// reorder changes the unflushed bytes at the end of a file as a power cut may: sectors are missing, so that there are zeroes or older
// bytes in their place, or are in the wrong order, and the file ends anywhere.
func reorder(fs vfs.FS, path string, flushed int64, rng *rand.Rand) (changed bool, err error) {
	f, err := fs.Open(path)
	if err != nil {
		return false, err
	}
	all, err := io.ReadAll(f)
	if err = errors.Join(err, f.Close()); err != nil || int64(len(all)) <= flushed {
		return false, err
	}
	first := min(int64(len(all)), (flushed+sector-1)/sector*sector) // after the sector with the last flushed byte
	for range 1 + rng.IntN(4) {
		tail := all[first:]
		n := len(tail) / sector
		switch p := rng.IntN(5); {
		case p == 0:
			all = all[:flushed+rng.Int64N(int64(len(all))-flushed+1)]
			first = min(first, int64(len(all)))
		case p == 1:
			clear(all[flushed:first])
		case n == 0:
		case p == 2:
			clear(tail[rng.IntN(n)*sector:][:sector])
		case p == 3: // an older sector of the file
			from := rng.IntN(max(1, len(all)/sector-1)) * sector
			copy(tail[rng.IntN(n)*sector:][:sector], all[from:])
		default:
			a, b := tail[rng.IntN(n)*sector:][:sector], tail[rng.IntN(n)*sector:][:sector]
			for i := range a {
				a[i], b[i] = b[i], a[i]
			}
		}
	}
	out, err := fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return false, err
	}
	_, err = out.Write(all)
	return true, errors.Join(err, out.Close())
}

// tails counts what reorderedTails did.
type tails struct{ cuts, changed, corrupt int }

// reorderedTails commits at level None with occasional flushes. It cuts the power before writes and flushes of the log, and reorders the
// unflushed bytes. Every disk must open with a prefix of the commits that includes all flushed ones. None may count as damaged.
func reorderedTails(seed uint64, commits int) (f tails, err error) {
	defer noCloseTimeout()() // the disk waits for the checks
	mem := memfs.NewCrashable()
	d := newDriver(nil, seed)
	rng := rand.New(rand.NewPCG(seed, 8))
	var bad []error
	fs := &tailFS{FS: mem, before: func(path string, flushed int64) {
		f.cuts++
		acked := d.acked.Load()
		for _, percent := range []int{50, 90, 100, 100, 100, 100} {
			crash := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rng})
			changed, err := reorder(crash, path, flushed, rng)
			if errors.Is(err, os.ErrNotExist) || err == nil && !changed {
				continue
			}
			f.changed++
			if err == nil {
				err = checkState(crash, d, acked)
			}
			if errors.Is(err, ErrCorrupt) {
				f.corrupt++
			}
			if err != nil {
				bad = append(bad, fmt.Errorf("cut %d in %s, %d bytes flushed: %w", f.cuts, path, flushed, err))
			}
		}
	}}
	if d.s, err = open("db", Options{FS: fs, Level: None, StallTimeout: time.Hour}, small); err != nil {
		return f, err
	}
	for d.s.LastSeq() < uint64(commits) && err == nil {
		if _, err = d.append(1 + d.rng.IntN(30)); err == nil && d.rng.IntN(3) == 0 {
			last := d.s.LastSeq()
			if err = d.s.Flush(); err == nil {
				d.acked.Store(last)
			}
		}
	}
	return f, few(append(bad, err, d.s.Close()))
}

// TestReorderedLogTail: Open must drop an unflushed end of the log, however the disk has changed it, and must not report damage.
func TestReorderedLogTail(t *testing.T) {
	var sum tails
	seeds := uint64(matrix.Pick(1, 100))
	for seed := range seeds {
		f, err := reorderedTails(seed, matrix.Pick(20, 200))
		require.NoError(t, err, "seed %d", seed)
		sum.cuts, sum.changed, sum.corrupt = sum.cuts+f.cuts, sum.changed+f.changed, sum.corrupt+f.corrupt
	}
	matrix.Row(t, 8, "%d power cuts, %d tails with lost, stale or swapped sectors: false ErrCorrupt %d, flushed commits lost 0", sum.cuts, sum.changed, sum.corrupt)
}

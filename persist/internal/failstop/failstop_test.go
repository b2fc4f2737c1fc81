package failstop

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/faultfs"
)

var seed = flag.Uint64("seed", 1, "of the first random script")

// image returns the bytes of every file of a directory.
func image(t *testing.T, files vfs.FS, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	names, err := files.List(dir)
	require.NoError(t, err)
	for _, name := range names {
		all[name] = content(t, files, files.PathJoin(dir, name))
	}
	return all
}

func content(t *testing.T, files vfs.FS, path string) string {
	t.Helper()
	f, err := files.Open(path)
	require.NoError(t, err, path)
	defer f.Close()
	b, err := io.ReadAll(f)
	require.NoError(t, err)
	return string(b)
}

// script runs random operations on a file system that fails at its n-th mutation, and on a model on which nothing fails.
type script struct {
	t      *testing.T
	rng    *rand.Rand
	real   *memfs.FS
	under  *faultfs.FS
	fs     *FS
	model  map[string]*modelFile // what a reader must see
	open   []*handle
	left   int               // mutations until the fault
	fired  int               // calls of onFail
	after  int               // mutations that reached the real files after the latch closed, except closes
	frozen map[string]string // the real files when the latch closed; nil: it is open
}

// modelFile is the expected content of a file.
type modelFile struct {
	bytes string
	torn  bool // a write was dropped, so the content is not checked
}

type handle struct {
	vfs.File
	name string
	m    *modelFile
}

var errInjected = fmt.Errorf("injected: %w", syscall.EIO)

func newScript(t *testing.T, seed uint64) *script {
	s := &script{t: t, rng: rand.New(rand.NewPCG(seed, 0)), real: memfs.New(), model: map[string]*modelFile{}}
	require.NoError(t, s.real.MkdirAll("d", 0o755))
	s.left = 1 + s.rng.IntN(60)
	s.under = &faultfs.FS{FS: s.real, Hook: s.hook}
	s.fs = New(s.under, "d", func(err error) {
		require.ErrorIs(t, err, s.want())
		s.fired++
	})
	return s
}

func (s *script) want() error {
	if s.frozen == nil {
		return io.ErrShortWrite
	}
	return errInjected
}

// hook counts mutations and fails the one that the seed has chosen, with an error or with a short write.
func (s *script) hook(op faultfs.Op) faultfs.Fault {
	if s.fs.Err() != nil && op.Kind != faultfs.Close {
		s.after++
	}
	if s.left--; s.left != 0 {
		return faultfs.Fault{}
	}
	if op.Kind == faultfs.Write && s.rng.IntN(2) == 0 {
		return faultfs.Fault{Short: true}
	}
	s.frozen = image(s.t, s.real, "d")
	return faultfs.Fault{Err: errInjected}
}

var kinds = []string{"%d.log", "%d.sst", "MANIFEST-%d", "marker.%d"}

func (s *script) name() string {
	return "d/" + fmt.Sprintf(kinds[s.rng.IntN(len(kinds))], s.rng.IntN(4))
}

// step does one random operation and checks the result.
func (s *script) step() {
	name := s.name()
	switch s.rng.IntN(10) {
	case 0, 1:
		s.create(name)
	case 2, 3, 4:
		s.write()
	case 5:
		s.sync()
	case 6:
		s.close()
	case 7:
		s.remove(name)
	case 8:
		s.rename(name, s.name())
	case 9:
		d, err := s.fs.OpenDir("d")
		require.NoError(s.t, err)
		require.NoError(s.t, d.Sync())
		require.NoError(s.t, d.Close())
	}
	s.check()
}

// busy reports whether a handle of that name is open: Pebble does not touch the name of a file that it is writing.
func (s *script) busy(name string) bool {
	return slices.ContainsFunc(s.open, func(h *handle) bool { return h.name == name })
}

func (s *script) create(name string) {
	if s.busy(name) {
		return
	}
	f, err := s.fs.Create(name, flushCategory)
	require.NoError(s.t, err)
	h := &handle{File: f, name: name, m: &modelFile{}}
	s.model[name] = h.m
	s.open = append(s.open, h)
}

func (s *script) write() {
	if len(s.open) == 0 {
		return
	}
	h := s.open[s.rng.IntN(len(s.open))]
	p := strings.Repeat(string(rune('a'+s.rng.IntN(26))), 1+s.rng.IntN(20))
	_, over := h.File.(*overlayFile)
	n, err := h.Write([]byte(p))
	if s.fs.Err() == nil || over {
		require.NoError(s.t, err)
		require.Equal(s.t, len(p), n)
		h.m.bytes += p
		return
	}
	h.m.torn = true
	require.Equal(s.t, table(h.name), err != nil, "a table fails, everything else goes on")
}

func (s *script) sync() {
	if len(s.open) == 0 {
		return
	}
	h := s.open[s.rng.IntN(len(s.open))]
	err := h.Sync()
	_, over := h.File.(*overlayFile)
	require.Equal(s.t, table(h.name) && !over && s.fs.Err() != nil, err != nil)
}

func (s *script) close() {
	if len(s.open) == 0 {
		return
	}
	i := s.rng.IntN(len(s.open))
	h := s.open[i]
	failed := s.fs.Err() == nil
	err := h.Close()
	failed = failed && s.fs.Err() != nil
	require.Equal(s.t, failed && table(h.name), err != nil)
	s.open = slices.Delete(s.open, i, i+1)
}

func (s *script) remove(name string) {
	if s.busy(name) {
		return
	}
	err := s.fs.Remove(name)
	if s.fs.Err() == nil {
		require.Equal(s.t, s.model[name] == nil, errors.Is(err, fs.ErrNotExist))
	}
	delete(s.model, name)
}

func (s *script) rename(old, name string) {
	if s.busy(old) || s.busy(name) || s.model[old] == nil || old == name {
		return
	}
	require.NoError(s.t, s.fs.Rename(old, name))
	s.model[name] = s.model[old]
	delete(s.model, old)
}

// check compares what a reader sees with the model, and the real files with their image when the latch closed.
func (s *script) check() {
	names, err := s.fs.List("d")
	require.NoError(s.t, err)
	got := map[string]bool{}
	for _, name := range names {
		require.False(s.t, got[name], "%s is listed twice", name)
		got[name] = true
	}
	for path, m := range s.model {
		require.True(s.t, got[strings.TrimPrefix(path, "d/")], "%s is not listed", path)
		info, err := s.fs.Stat(path)
		require.NoError(s.t, err)
		if !m.torn {
			require.Equal(s.t, m.bytes, content(s.t, s.fs, path), path)
			require.Equal(s.t, int64(len(m.bytes)), info.Size())
		}
	}
	require.Len(s.t, got, len(s.model), "%v, want %v", names, slices.Collect(maps.Keys(s.model)))
	if s.fs.Err() == nil {
		return
	}
	if s.frozen == nil { // a short write has left something
		s.frozen = image(s.t, s.real, "d")
	}
	require.Equal(s.t, s.frozen, image(s.t, s.real, "d"), "F1")
	require.Equal(s.t, 1, s.fired, "F2")
	require.Zero(s.t, s.after, "F1")
}

// TestScripts runs random scripts, each with one fault. More than half of them must close the latch.
func TestScripts(t *testing.T) {
	n := matrix.Pick(300, 20000)
	t.Logf("seeds %d to %d", *seed, *seed+uint64(n)-1)
	fired := 0
	for i := range uint64(n) {
		s := newScript(t, *seed+i)
		for range 120 {
			s.step()
		}
		fired += s.fired
		if t.Failed() {
			t.Fatalf("seed %d", *seed+i)
		}
	}
	t.Logf("%d scripts, %d latched", n, fired)
	require.Greater(t, fired, n/2)
}

// TestRefused checks what fails after the latch has closed: operations that only a backup needs, tables of a compaction, files open
// for reading and writing, and writes beyond the overlay's limit. Each must return the cause. It first checks which errors do not
// close the latch.
func TestRefused(t *testing.T) {
	var fault faultfs.Fault
	mem := memfs.New()
	files := New(&faultfs.FS{FS: mem, Hook: func(faultfs.Op) faultfs.Fault { return fault }}, "d", func(error) {})
	require.Nil(t, files.Err())
	require.NoError(t, files.MkdirAll("d", 0o755))
	rw, err := files.OpenReadWrite("d/HWM", "")
	require.NoError(t, err)
	_, err = rw.WriteAt([]byte("one"), 0)
	require.NoError(t, err)
	lock, err := files.Lock("d/LOCK")
	require.NoError(t, err)
	_, err = files.Lock("d/LOCK")
	require.Error(t, err)
	require.ErrorIs(t, files.Remove("d/none"), fs.ErrNotExist)
	_, err = files.OpenDir("none")
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorIs(t, files.Link("d/LOCK", "d/HWM"), fs.ErrExist)
	require.NoError(t, files.Err(), "none of these is a failure")

	fault.Err = errInjected
	_, err = rw.WriteAt([]byte("two"), 0)
	require.ErrorIs(t, err, errInjected)
	require.Equal(t, errInjected, files.Err())
	fault.Err = nil
	files.Fail(errors.New("a later one"))
	require.Equal(t, errInjected, files.Err())

	_, again := rw.WriteAt([]byte("two"), 0)
	_, open := files.OpenReadWrite("d/x", "")
	_, locked := files.Lock("d/other")
	_, compaction := files.Create("d/1.sst", "pebble-compaction")
	for _, err := range []error{again, rw.Sync(), open, locked, compaction,
		files.Link("d/HWM", "d/y"), files.MkdirAll("d/e", 0o755), files.RemoveAll("d")} {
		require.ErrorIs(t, err, errInjected)
	}
	require.NoError(t, rw.Close())
	require.NoError(t, lock.Close())
	require.Equal(t, map[string]string{"HWM": "one", "LOCK": ""}, image(t, mem, "d"))

	f, err := files.Create("d/2.sst", flushCategory)
	require.NoError(t, err)
	files.limit = 1 << 20
	chunk := make([]byte, 128<<10)
	for range 8 {
		_, err = f.Write(chunk)
		require.NoError(t, err)
	}
	_, err = f.Write(chunk)
	require.ErrorIs(t, err, errInjected, "F4")
	require.Len(t, image(t, mem, "d"), 2)
}

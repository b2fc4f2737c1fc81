// Package traces searches the files of a directory for what is left of a name, for tests of erasing.
//
// It searches the bytes of every file, and what is in tables beyond that, since blocks may be compressed: every key, those of deletions too, every
// value and every deleted range. A name counts as found where Window bytes of it follow one another, since a file may hold it in pieces: a block shares the
// beginning of keys, and a log divides records. So names must be long and random, as Name makes them.
//
// # Where things are
//
//	traces.go   Name, Find, FindOnDisk
package traces

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Window is the number of bytes of a name, one after the other, that count as a trace of it.
const Window = 9

// Name returns a random name of n bytes that no other text shares a Window with.
func Name(seed uint64, n int) string {
	rng := rand.New(rand.NewPCG(seed, 21))
	var b []byte
	for len(b) < n {
		b = binary.BigEndian.AppendUint64(b, rng.Uint64())
	}
	return base64.RawURLEncoding.EncodeToString(b)[:n]
}

// Trace is a place where a part of a name is left.
type Trace struct {
	File  string
	Where string // "byte 17", "key", "value", "deleted range"
}

// String returns both in one line.
func (t Trace) String() string { return t.File + ": " + t.Where }

// Find returns where parts of a name of at least Window bytes are left in the files of a directory and below it. A name in the name of a file counts
// too.
func Find(fs vfs.FS, dir, name string) (found []Trace, err error) {
	s := search{windows: map[string]bool{}}
	for i := 0; i+Window <= len(name); i++ {
		s.windows[name[i:i+Window]] = true
	}
	if len(s.windows) == 0 {
		return nil, fmt.Errorf("traces: the name %q is shorter than %d bytes", name, Window)
	}
	err = s.dir(fs, dir)
	return s.found, err
}

// FindOnDisk is Find in the file system of the operating system.
func FindOnDisk(dir, name string) ([]Trace, error) { return Find(vfs.Default, dir, name) }

type search struct {
	windows map[string]bool
	found   []Trace
}

// add notes a trace if the bytes have one.
func (s *search) add(file, where string, v []byte) {
	if at := s.index(v); at >= 0 {
		if where == "" {
			where = fmt.Sprintf("byte %d", at)
		}
		s.found = append(s.found, Trace{file, where})
	}
}

// index returns where the first window is in v, or -1.
func (s *search) index(v []byte) int {
	for i := 0; i+Window <= len(v); i++ {
		if s.windows[string(v[i:i+Window])] {
			return i
		}
	}
	return -1
}

func (s *search) dir(fs vfs.FS, dir string) error {
	names, err := fs.List(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		path := fs.PathJoin(dir, name)
		s.add(path, "name of the file", []byte(name))
		info, err := fs.Stat(path)
		if err == nil && info.IsDir() {
			err = s.dir(fs, path)
		} else if err == nil {
			err = s.file(fs, path)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) { // Pebble has removed it meanwhile
			return err
		}
	}
	return nil
}

func (s *search) file(fs vfs.FS, path string) error {
	f, err := fs.Open(path)
	if err != nil {
		return err
	}
	v, err := io.ReadAll(f)
	s.add(path, "", v)
	if err = errors.Join(err, f.Close()); err != nil || !strings.HasSuffix(path, ".sst") {
		return err
	}
	if f, err = fs.Open(path); err != nil {
		return err
	}
	if err := s.table(path, f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// table searches what is in a table, if the table is complete, and closes the file.
func (s *search) table(path string, f vfs.File) error {
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	t, err := sstable.NewReader(context.Background(), readable, sstable.ReaderOptions{})
	if err != nil { // Pebble is writing it
		return readable.Close()
	}
	return errors.Join(s.points(path, t), s.ranges(path, t), t.Close())
}

// points searches the keys of a table, those of deletions too, and the values.
func (s *search) points(path string, t *sstable.Reader) error {
	it, err := t.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles)
	if err != nil {
		return err
	}
	for kv := it.First(); kv != nil; kv = it.Next() {
		value, _, err := kv.Value(nil)
		if err != nil {
			return errors.Join(err, it.Close())
		}
		s.add(path, fmt.Sprintf("key of a %v", kv.Kind()), kv.K.UserKey)
		s.add(path, fmt.Sprintf("value of %.20q", bytes.Clone(kv.K.UserKey)), value)
	}
	return errors.Join(it.Error(), it.Close())
}

// ranges searches the bounds of the deleted ranges of a table.
func (s *search) ranges(path string, t *sstable.Reader) error {
	it, err := t.NewRawRangeDelIter(context.Background(), sstable.NoFragmentTransforms, sstable.NoReadEnv)
	if err != nil || it == nil {
		return err
	}
	defer it.Close()
	span, err := it.First()
	for ; span != nil; span, err = it.Next() {
		s.add(path, "deleted range", span.Start)
		s.add(path, "deleted range", span.End)
	}
	return err
}

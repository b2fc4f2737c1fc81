package storedir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// Lock locks the store's directory, which must exist, until the closer is closed.
//
// It takes two locks. The list of open handles keeps other handles of this process out. It compares directories by their identity on
// the disk, so that the spelling of the path does not matter. On the operating system's file system lockFile keeps other processes
// out; only this process can see any other file system. Pebble's own lock is not enough: it compares paths by their spelling, and it
// is released when any code in the process closes the file.
func Lock(fs vfs.FS, dir string) (io.Closer, error) {
	root := vfs.Root(fs)
	if root != vfs.Default {
		return handles.take(&handle{fs: root, dir: path.Clean("/" + filepath.ToSlash(dir))})
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("persist: lock: %w", err)
	}
	own, err := handles.take(&handle{fs: root, dir: dir, info: info})
	if err != nil {
		return nil, err
	}
	others, err := lockFile(dir)
	if err != nil {
		return nil, errors.Join(err, own.Close())
	}
	return CloserFunc(func() error { return errors.Join(others.Close(), own.Close()) }), nil
}

// handle is a directory that this process has open.
type handle struct {
	fs   vfs.FS
	dir  string
	info os.FileInfo // the directory's identity on the disk; nil on a file system that only this process sees
}

func (h *handle) same(o *handle) bool {
	if h.info != nil && o.info != nil {
		return os.SameFile(h.info, o.info)
	}
	return h.fs == o.fs && h.dir == o.dir
}

type handleSet struct {
	mu   sync.Mutex
	open []*handle
}

var handles handleSet

func (s *handleSet) take(h *handle) (io.Closer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.open, h.same) {
		return nil, fmt.Errorf("%w: %s", errs.ErrLocked, h.dir)
	}
	s.open = append(s.open, h)
	return CloserFunc(func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open = slices.DeleteFunc(s.open, func(o *handle) bool { return o == h })
		return nil
	}), nil
}

package persist

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// lockDir takes the store's directory for this handle, until the closer is closed. The directory exists.
//
// On the operating system's file system it locks <dir>/LOCK, a file of our own: Pebble's lock is of the kind that belongs
// to the process, knows paths by their spelling only, and goes away when anything in the process closes the file. Any
// other file system is seen by this process alone, and a list of what is open will do.
func lockDir(fs FS, dir string) (io.Closer, error) {
	root := vfs.Root(fs)
	if root == vfs.Default {
		return lockFile(fs.PathJoin(dir, lockName))
	}
	return handles.take(handle{root, path.Clean("/" + filepath.ToSlash(dir))})
}

// handle is a directory that this process has open, on a file system that only it can see.
type handle struct {
	fs  FS
	dir string
}

type handleSet struct {
	mu   sync.Mutex
	open map[handle]bool
}

var handles = handleSet{open: make(map[handle]bool)}

func (s *handleSet) take(h handle) (io.Closer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[h] {
		return nil, fmt.Errorf("%w: %s", ErrLocked, h.dir)
	}
	s.open[h] = true
	return closer(func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, h)
		return nil
	}), nil
}

// closer makes an io.Closer of a function.
type closer func() error

func (c closer) Close() error { return c() }

//go:build !unix || aix || solaris || illumos

package persist

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// lockFile locks name with what Pebble has for this system, and keeps other handles of this process out with the list of
// open directories, by their real path.
func lockFile(name string) (io.Closer, error) {
	real, err := filepath.EvalSymlinks(filepath.Dir(name))
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return nil, fmt.Errorf("persist: lock: %w", err)
	}
	own, err := handles.take(handle{vfs.Default, real})
	if err != nil {
		return nil, err
	}
	file, err := vfs.Default.Lock(name)
	if err != nil {
		_ = own.Close()
		return nil, fmt.Errorf("%w: %s: %w", ErrLocked, name, err)
	}
	return closer(func() error { return errors.Join(file.Close(), own.Close()) }), nil
}

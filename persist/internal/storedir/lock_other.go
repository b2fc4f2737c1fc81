//go:build !unix || aix || solaris || illumos

package storedir

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// lockFile locks LOCK in dir with what Pebble has for this system. On Windows that is a file opened for this handle alone,
// which nobody else can open, replace or delete; elsewhere it is as good as the system's.
func lockFile(dir string) (io.Closer, error) {
	name := filepath.Join(dir, LockName)
	file, err := vfs.Default.Lock(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errs.ErrLocked, name, err)
	}
	return file, nil
}

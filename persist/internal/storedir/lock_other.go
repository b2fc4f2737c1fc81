//go:build !unix || aix || solaris || illumos

package storedir

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// lockFile locks LOCK in dir with Pebble's lock for this operating system. On Windows nobody else can open, replace or delete the
// file then. On other systems the lock is as good as theirs.
func lockFile(dir string) (io.Closer, error) {
	name := filepath.Join(dir, LockName)
	file, err := OwnerOnly().Lock(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errs.ErrLocked, name, err)
	}
	return file, nil
}

//go:build unix && !aix && !solaris && !illumos

package persist

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// lockFile locks name, and creates it if need be. flock belongs to the open file: a second open in the same process, by
// whatever path, is refused too, and the lock goes when the process does, however it ends.
func lockFile(name string) (io.Closer, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("persist: lock: %w", err)
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w: %s", ErrLocked, name)
		}
		return nil, fmt.Errorf("persist: lock %s: %w", name, err)
	}
	return f, nil
}

//go:build unix && !aix && !solaris && !illumos

package storedir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// lockFile locks dir and the file LOCK in it, which it creates if it is missing. A flock belongs to the open file, not to the process:
// it stays when other code opens and closes the file, and ends with the process. Child processes do not inherit it, since os.OpenFile
// sets close-on-exec. The lock of the directory still holds when LOCK is deleted or replaced. If the file system cannot lock
// directories, lockFile locks only LOCK.
func lockFile(dir string) (io.Closer, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("persist: lock: %w", err)
	}
	if err := flock(d); errors.Is(err, errs.ErrLocked) {
		return nil, errors.Join(err, d.Close())
	}
	f, err := lockNamed(filepath.Join(dir, LockName))
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return CloserFunc(func() error { return errors.Join(unlock(f), unlock(d)) }), nil
}

// lockNamed opens and locks the file. It tries again if the file was deleted or replaced before it was locked: that lock would keep
// nobody out.
func lockNamed(name string) (*os.File, error) {
	for range lockTries {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, ownerFile)
		if err != nil {
			return nil, fmt.Errorf("persist: lock: %w", err)
		}
		if err := flock(f); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		locked, err := f.Stat()
		if err != nil {
			return nil, errors.Join(fmt.Errorf("persist: lock: %w", err), f.Close())
		}
		if named, err := os.Stat(name); err == nil && os.SameFile(locked, named) {
			return f, nil
		}
		_ = f.Close()
	}
	return nil, fmt.Errorf("%w: %s is being replaced", errs.ErrLocked, name)
}

// lockTries is how often lockNamed tries, while something replaces the file.
const lockTries = 10

// flock locks a file, without waiting.
func flock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return fmt.Errorf("%w: %s", errs.ErrLocked, f.Name())
		case !errors.Is(err, syscall.EINTR):
			return fmt.Errorf("persist: lock %s: %w", f.Name(), err)
		}
	}
}

// unlock releases the lock and closes the file. Closing alone is not enough: a child process that another goroutine is starting has the
// file open until its exec, and would hold the lock that long.
func unlock(f *os.File) error {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) // fails only on a file system without locks
	return f.Close()
}

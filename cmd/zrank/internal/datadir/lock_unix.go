//go:build unix && !aix && !solaris && !illumos

package datadir

import (
	"errors"
	"os"
	"syscall"
)

// lockFile locks a file until it is closed, or the process ends. Unless it is to wait, it is false if another process, or another open file of this
// one, has it locked. Errors: those of the file system.
func lockFile(f *os.File, wait bool) (locked bool, err error) {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}

//go:build unix

package serve

import "syscall"

// openFiles returns how many files this process may have open.
func openFiles() uint64 {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return noLimit
	}
	return uint64(r.Cur)
}

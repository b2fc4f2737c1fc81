//go:build unix && (!linux || race)

package socket

import "syscall"

func readUnwatched(fd uintptr, b []byte) (n int, errno syscall.Errno) { return readWatched(fd, b) }

func writeUnwatched(fd uintptr, b []byte) (n int, errno syscall.Errno) { return writeWatched(fd, b) }

// WakeMonitor does nothing: all system calls of the package are watched, and so wake the scheduler's monitor.
func WakeMonitor() {}

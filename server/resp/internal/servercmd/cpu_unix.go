//go:build unix

package servercmd

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of the process, in its own code and in the kernel.
func cpuTime() (user, sys time.Duration) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0
	}
	return time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano())
}

//go:build unix

package resp

import (
	"syscall"
	"time"
)

// cpuTime returns how long the process has run, in its own code and in the system's.
func cpuTime() (user, sys time.Duration) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0
	}
	return time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano())
}

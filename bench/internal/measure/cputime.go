package measure

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime returns the CPU time that the calling thread has used.
func threadTime() time.Duration { return cpuTime(unix.CLOCK_THREAD_CPUTIME_ID) }

// ProcessTime returns the CPU time that the process has used. It is exact for the calling thread, and for the others only as of the kernel's
// last tick: take it over many milliseconds. (getrusage is no better than the tick for either.)
func ProcessTime() time.Duration { return cpuTime(unix.CLOCK_PROCESS_CPUTIME_ID) }

func cpuTime(clock int32) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		panic(err) // Linux has had both since 2.6.12
	}
	return time.Duration(t.Nano())
}

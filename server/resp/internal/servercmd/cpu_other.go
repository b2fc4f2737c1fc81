//go:build !unix

package servercmd

import "time"

// cpuTime returns 0: the time is unknown.
func cpuTime() (user, sys time.Duration) { return 0, 0 }

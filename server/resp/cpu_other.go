//go:build !unix

package resp

import "time"

// cpuTime is not known here.
func cpuTime() (user, sys time.Duration) { return 0, 0 }

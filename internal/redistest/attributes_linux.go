package redistest

import (
	"syscall"
	"time"
)

func init() {
	attributes = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	killChildren = func(pid int) {
		_ = syscall.Kill(-pid, syscall.SIGKILL)
		for range 100 { // those that nobody waits for stay
			if syscall.Kill(-pid, 0) != nil {
				return
			}
			<-time.After(time.Millisecond)
		}
	}
}

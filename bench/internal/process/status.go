package process

import (
	"time"

	"github.com/prometheus/procfs"
)

// Resident returns the resident bytes of a process and their maximum so far. ok is false where the system has no /proc.
func Resident(pid int) (now, peak float64, ok bool) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, 0, false
	}
	s, err := p.NewStatus()
	return float64(s.VmRSS), float64(s.VmHWM), err == nil
}

// CPU returns the CPU time of all threads of a process, in whole ticks of 10 ms.
func CPU(pid int) (time.Duration, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	s, err := p.Stat()
	return time.Duration(s.CPUTime() * float64(time.Second)), err
}

package process

import (
	"errors"
	"os"
	"syscall"
)

// Attr makes a process end with this one, and lets signals reach the children that it forks.
var Attr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}

// Stop stops a process that was started with Attr, with its children: its background work does not disturb other measurements.
func Stop(p *os.Process) error { return signal(p, syscall.SIGSTOP) }

// Resume continues a stopped process.
func Resume(p *os.Process) error { return signal(p, syscall.SIGCONT) }

// Kill ends a process and its children. It returns nil if the process has ended.
func Kill(p *os.Process) error {
	if err := signal(p, syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

func signal(p *os.Process, s syscall.Signal) error { return syscall.Kill(-p.Pid, s) }

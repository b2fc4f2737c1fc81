package redis

import (
	"errors"
	"os"
	"syscall"
)

// ownGroup ends the server with this process, and lets signals reach the children that it forks to save.
var ownGroup = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}

func kill(p *os.Process) error { return group(p, syscall.SIGKILL) }

func group(p *os.Process, sig syscall.Signal) error {
	if err := syscall.Kill(-p.Pid, sig); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return os.ErrProcessDone
}

// Halt stops the server where it is, so that it does nothing in the background while others are measured.
func (s *Server) Halt() error { return group(s.cmd.Process, syscall.SIGSTOP) }

// Resume lets it go on.
func (s *Server) Resume() error { return group(s.cmd.Process, syscall.SIGCONT) }

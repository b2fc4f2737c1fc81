//go:build unix

package bench

import (
	"os"
	"syscall"
)

// halt stops a process where it is, and resume lets it go on.
func halt(p *os.Process) error   { return p.Signal(syscall.SIGSTOP) }
func resume(p *os.Process) error { return p.Signal(syscall.SIGCONT) }

//go:build !linux

package redis

import (
	"os"
	"syscall"
)

// Elsewhere a server outlives a process that is killed.
var ownGroup *syscall.SysProcAttr

func kill(p *os.Process) error { return p.Kill() }

// Halt does nothing: what the server does in the background goes on while others are measured.
func (s *Server) Halt() error { return nil }

// Resume undoes nothing.
func (s *Server) Resume() error { return nil }

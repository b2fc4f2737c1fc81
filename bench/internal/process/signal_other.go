//go:build !linux

package process

import (
	"os"
	"syscall"
)

// Attr is empty: elsewhere than on Linux a process outlives this one if this one is killed.
var Attr *syscall.SysProcAttr

// Stop does nothing: the process goes on with its background work while others are measured.
func Stop(*os.Process) error { return nil }

// Resume does nothing.
func Resume(*os.Process) error { return nil }

// Kill ends a process.
func Kill(p *os.Process) error { return p.Kill() }

//go:build !linux

package bench

import "syscall"

// Elsewhere a subprocess that is stopped outlives a program that is killed.
var endWithParent *syscall.SysProcAttr

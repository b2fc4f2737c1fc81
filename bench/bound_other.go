//go:build !linux

package main

import "syscall"

// Elsewhere a subprocess that is stopped outlives a program that is killed.
var bound *syscall.SysProcAttr

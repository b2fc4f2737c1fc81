// Package process reads what the system knows of a process, this one or another, where it tells: on Linux.
//
// # Where things are
//
//   - status.go: memory and CPU time from /proc
package process

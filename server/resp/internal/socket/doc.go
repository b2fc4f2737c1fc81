// Package socket reads and writes sockets with system calls that never wait in the kernel, where Go's scheduler need not watch them. It knows
// nothing of requests and replies.
//
// # Where things are
//
//	socket_unix.go    Reader, Writer, and which of their calls the scheduler watches
//	socket_other.go   their absence on other systems
//	calls_linux.go    system calls that the scheduler does not watch, and why
//	calls_other.go    system calls that it does, on other Unix systems and under the race detector
package socket

//go:build unix

package flow

import (
	"net"
	"syscall"
)

// An attempt writes as many bytes to a socket as it takes without waiting.
type attempt struct {
	raw  syscall.RawConn
	call func(fd uintptr) bool // attempt.once, made once so that no call allocates
	b    []byte
	n    int
	err  error
}

// newAttempt returns nil if the connection has no socket.
func newAttempt(conn net.Conn) *attempt {
	c, ok := conn.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return nil
	}
	a := &attempt{raw: raw}
	a.call = a.once
	return a
}

// write returns how many bytes of b were written, which may be none.
func (a *attempt) write(b []byte) (n int, err error) {
	a.b, a.n, a.err = b, 0, nil
	err = a.raw.Write(a.call)
	a.b = nil
	if err == nil {
		err = a.err
	}
	return a.n, err
}

// once makes one system call that writes. It returns true in any case, so that RawConn.Write does not wait for the socket.
func (a *attempt) once(fd uintptr) bool {
	for {
		n, err := syscall.Write(int(fd), a.b)
		switch err {
		case nil:
			a.n = n
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
		default:
			a.err = err
		}
		return true
	}
}

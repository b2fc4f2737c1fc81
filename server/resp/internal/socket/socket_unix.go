//go:build unix

package socket

import (
	"io"
	"net"
	"os"
	"syscall"
)

// A Reader reads from the socket of a connection. A read waits as net.Conn.Read does, up to the read deadline. It is for one goroutine at a
// time.
type Reader struct {
	raw  syscall.RawConn
	call func(fd uintptr) bool // Reader.once, made once so that no read allocates
	b    []byte
	n    int
	err  error
	// unwatched is how many reads may be unwatched until one waits for the network: see U1 in calls_linux.go.
	unwatched int
}

// NewReader returns a Reader, or the connection if that has no socket.
func NewReader(conn net.Conn) io.Reader {
	raw := rawOf(conn)
	if raw == nil {
		return conn
	}
	r := &Reader{raw: raw}
	r.call = r.once
	return r
}

// Read is io.Reader's. b must not be empty.
func (r *Reader) Read(b []byte) (n int, err error) {
	r.b, r.n, r.err = b, 0, nil
	err = r.raw.Read(r.call)
	r.b = nil
	if err == nil {
		err = r.err
	}
	return r.n, err
}

// once makes one system call that reads. It returns false if there is nothing to read: then RawConn.Read waits, and calls it again.
func (r *Reader) once(fd uintptr) bool {
	read := readWatched
	if r.unwatched > 0 {
		r.unwatched--
		read = readUnwatched
	}
	for {
		n, err := read(fd, r.b)
		switch {
		case err == 0 && n == 0:
			r.err = io.EOF
		case err == 0:
			r.n = n
		case err == syscall.EINTR:
			continue
		case err == syscall.EAGAIN:
			r.unwatched = maxUnwatched
			return false
		default:
			r.err = os.NewSyscallError("read", err)
		}
		return true
	}
}

// A Writer writes as many bytes to a socket as it takes without waiting. It is for one goroutine at a time.
type Writer struct {
	raw  syscall.RawConn
	call func(fd uintptr) bool // Writer.once, made once so that no write allocates
	b    []byte
	n    int
	err  error
}

// NewWriter returns nil if the connection has no socket.
func NewWriter(conn net.Conn) *Writer {
	raw := rawOf(conn)
	if raw == nil {
		return nil
	}
	w := &Writer{raw: raw}
	w.call = w.once
	return w
}

// Write returns how many bytes of b were written, which may be none.
func (w *Writer) Write(b []byte) (n int, err error) {
	if len(b) == 0 {
		return 0, nil
	}
	w.b, w.n, w.err = b, 0, nil
	err = w.raw.Write(w.call)
	w.b = nil
	if err == nil {
		err = w.err
	}
	return w.n, err
}

// once makes one system call that writes. It returns true in any case, so that RawConn.Write does not wait for the socket.
func (w *Writer) once(fd uintptr) bool {
	write := writeUnwatched
	if len(w.b) > shortWrite {
		write = writeWatched
	}
	for {
		n, err := write(fd, w.b)
		switch err {
		case 0:
			w.n = n
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
		default:
			w.err = err
		}
		return true
	}
}

// rawOf returns nil if the connection has no socket.
func rawOf(conn net.Conn) syscall.RawConn {
	c, ok := conn.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// maxUnwatched is how many reads may be unwatched until one waits for the network.
const maxUnwatched = 16

// shortWrite is the most bytes that are written unwatched: the kernel takes a few microseconds for them.
const shortWrite = 16 << 10

func readWatched(fd uintptr, b []byte) (n int, errno syscall.Errno) {
	return result(syscall.Read(int(fd), b))
}

func writeWatched(fd uintptr, b []byte) (n int, errno syscall.Errno) {
	return result(syscall.Write(int(fd), b))
}

// result returns the error of a system call as a number.
func result(n int, err error) (int, syscall.Errno) {
	if err == nil {
		return n, 0
	}
	errno, ok := err.(syscall.Errno)
	if !ok {
		errno = syscall.EIO
	}
	return 0, errno
}

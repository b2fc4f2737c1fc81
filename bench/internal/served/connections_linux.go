package served

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/zrankdb/zrank/bench/internal/crew"
)

// supported says whether connections can be measured here.
const supported = true

// bufferSize is how much is read at once.
const bufferSize = 64 << 10

// connections are all connections to a server, served by one thread.
type connections struct {
	epoll  int
	list   []connection
	by     map[int32]*connection
	events []unix.EpollEvent
	buffer []byte // the rest of a connection, and the bytes read after it
}

// connection is one of them.
type connection struct {
	fd   int
	due  int    // replies that have not come
	rest []byte // the beginning of a reply
	sent time.Duration
}

// dial connects to an address of TCP.
func dial(addr string, n int) (c *connections, err error) {
	to, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, err
	}
	c = &connections{list: make([]connection, n), by: map[int32]*connection{}, events: make([]unix.EpollEvent, n),
		buffer: make([]byte, bufferSize)}
	if c.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	for i := range c.list {
		x := &c.list[i]
		if x.fd, err = connect(to); err == nil {
			c.by[int32(x.fd)] = x
			err = unix.EpollCtl(c.epoll, unix.EPOLL_CTL_ADD, x.fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(x.fd)})
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("connect to %s: %w", addr, err), c.Close())
		}
	}
	return c, nil
}

// connect returns a socket that does not block.
func connect(to netip.AddrPort) (fd int, err error) {
	fd, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	err = errors.Join(unix.Connect(fd, &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}),
		unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1), unix.SetNonblock(fd, true))
	if err != nil {
		return 0, errors.Join(err, unix.Close(fd))
	}
	return fd, nil
}

// Close closes them all.
func (c *connections) Close() error {
	err := unix.Close(c.epoll)
	for fd := range c.by {
		err = errors.Join(err, unix.Close(int(fd)))
	}
	return err
}

// drive makes calls on all connections for some time, and waits for the last replies. It returns the number of answered calls and the time
// they took, and records the round trips in times.
func (c *connections) drive(l *requests, long time.Duration, times *crew.Recorder) (calls int, took time.Duration, err error) {
	start := time.Now()
	for i := range c.list {
		if err := c.list[i].send(l, time.Since(start)); err != nil {
			return 0, 0, err
		}
	}
	for waiting := len(c.list); waiting > 0; {
		n, err := unix.EpollWait(c.epoll, c.events, -1)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return 0, 0, os.NewSyscallError("epoll_wait", err)
		}
		for _, e := range c.events[:max(n, 0)] {
			x := c.by[e.Fd]
			if err := c.receive(x); err != nil {
				return 0, 0, err
			}
			if x.due > 0 {
				continue
			}
			now := time.Since(start)
			times.Record(now - x.sent)
			calls += l.depth
			if now >= long {
				waiting--
				continue
			}
			if err := x.send(l, now); err != nil {
				return 0, 0, err
			}
		}
	}
	return calls, time.Since(start), nil
}

// send sends the next requests. They fit the socket buffer, which is empty.
func (x *connection) send(l *requests, now time.Duration) error {
	b := l.next()
	n, err := unix.Write(x.fd, b)
	if err == nil && n < len(b) {
		err = fmt.Errorf("%d bytes of %d", n, len(b))
	}
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	x.due, x.sent = l.depth, now
	return nil
}

// receive reads the available replies of a connection.
func (c *connections) receive(x *connection) error {
	had := copy(c.buffer, x.rest)
	n, err := unix.Read(x.fd, c.buffer[had:])
	switch {
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR):
		return nil
	case err != nil:
		return os.NewSyscallError("read", err)
	case n == 0:
		return errors.New("the server hung up")
	}
	b := c.buffer[:had+n]
	for x.due > 0 {
		n, err := skip(b)
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		b = b[n:]
		x.due--
	}
	x.rest = append(x.rest[:0], b...)
	if x.due == 0 && len(b) > 0 {
		return fmt.Errorf("more replies than requests: %q", b[:min(len(b), 80)])
	}
	return nil
}

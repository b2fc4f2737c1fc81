package resp

import (
	"errors"
	"fmt"
	"net"

	"github.com/zrankdb/zrank/server/resp/internal/listen"
)

// Bind listens on an address, for Serve: a program may wrap the listener in TLS, or need the address before it has a server. Clients that
// connect wait until Serve. The address is
//
//   - "host:port"; port 0 is a free port;
//   - ":port", which is 127.0.0.1: this machine only;
//   - "0.0.0.0:port", which is all of IPv4, and not of IPv6;
//   - "unix:/path", a Unix socket. Bind takes over a socket that a dead process has left there.
//
// Without Users it must be an address of this machine. Errors: ErrNoPassword, those of net.Listen.
func (o Options) Bind(addr string) (net.Listener, error) {
	l, err := listen.Bind(addr)
	if err != nil {
		return nil, fmt.Errorf("resp: %w", err)
	}
	if err := o.admits(l.Addr()); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// admits returns ErrNoPassword if the server must not listen on an address, or nil (P5).
func (o Options) admits(addr net.Addr) error {
	if tcp, ok := addr.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() && len(o.Users) == 0 {
		return fmt.Errorf("%w: %v", ErrNoPassword, addr)
	}
	return nil
}

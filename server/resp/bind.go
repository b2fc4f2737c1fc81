package resp

import (
	"errors"
	"fmt"
	"net"

	"github.com/zrankdb/zrank/server/resp/internal/listen"
)

// Bind listens on an address, for Serve: for who puts TLS around the listener, or wants the address before there is a server. Nobody
// is served yet; who comes waits. The address is
//
//   - "host:port"; port 0 is one that is free;
//   - ":port", which is 127.0.0.1: this machine only;
//   - "0.0.0.0:port", which is all of IPv4, and not of IPv6;
//   - "unix:/path", a Unix socket. A socket that a process has left there that is gone is taken over.
//
// Without Users it is one of this machine. Errors: ErrNoPassword, those of net.Listen.
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

// admits says why a server must not listen there, or nil (P5).
func (o Options) admits(addr net.Addr) error {
	if tcp, ok := addr.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() && len(o.Users) == 0 {
		return fmt.Errorf("%w: %v", ErrNoPassword, addr)
	}
	return nil
}

package resp

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"time"
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
	network := "tcp"
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		network, addr = "unix", path
		if err := vacate(path); err != nil {
			return nil, fmt.Errorf("resp: %w", err)
		}
	} else if strings.HasPrefix(addr, ":") {
		addr = "127.0.0.1" + addr
	} else if host, err := netip.ParseAddrPort(addr); err == nil && host.Addr().Is4() {
		network = "tcp4" // 0.0.0.0 would be all of IPv6 too
	}
	l, err := net.Listen(network, addr)
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

// vacate removes a Unix socket on which nobody listens any more.
func vacate(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return nil // net.Listen will say what is wrong, if it is not that there is no file
	}
	if info.Mode()&os.ModeSocket == 0 {
		return fmt.Errorf("unix:%s: there is a file that is no socket", path)
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		return errors.Join(fmt.Errorf("unix:%s: in use by another process", path), conn.Close())
	}
	if !errors.Is(err, syscall.ECONNREFUSED) { // somebody may listen there
		return err
	}
	return os.Remove(path)
}

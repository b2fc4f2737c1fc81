package listen

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

// Bind listens on an address: see resp.Options.Bind.
func Bind(addr string) (net.Listener, error) {
	network := "tcp"
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		network, addr = "unix", path
		if err := vacate(path); err != nil {
			return nil, err
		}
	} else if strings.HasPrefix(addr, ":") {
		addr = "127.0.0.1" + addr
	} else if host, err := netip.ParseAddrPort(addr); err == nil && host.Addr().Is4() {
		network = "tcp4" // 0.0.0.0 would be all of IPv6 too
	}
	return net.Listen(network, addr)
}

// vacate removes a Unix socket that no process listens on.
func vacate(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return nil // there is no file, or net.Listen will return the error
	}
	if info.Mode()&os.ModeSocket == 0 {
		return fmt.Errorf("unix:%s: there is a file that is no socket", path)
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		return errors.Join(fmt.Errorf("unix:%s: in use by another process", path), conn.Close())
	}
	if !errors.Is(err, syscall.ECONNREFUSED) { // a process may listen there
		return err
	}
	return os.Remove(path)
}

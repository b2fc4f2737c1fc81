package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"time"
)

// listen listens where the flags say. Nobody is served yet; who comes waits.
func (s *serving) listen() (listeners []net.Listener, err error) {
	if s.addr != "" {
		l, err := s.listenTCP()
		if err != nil {
			return nil, err
		}
		listeners = append(listeners, l)
	}
	if s.socket != "" {
		l, err := listenUnix(s.socket)
		if err != nil {
			closeAll(listeners)
			return nil, err
		}
		listeners = append(listeners, l)
	}
	return listeners, nil
}

// listenTCP listens on --resp.
func (s *serving) listenTCP() (net.Listener, error) {
	network, addr := "tcp", s.addr
	if strings.HasPrefix(addr, ":") {
		addr = "127.0.0.1" + addr
	} else if host, err := netip.ParseAddrPort(addr); err == nil && host.Addr().Is4() {
		network = "tcp4" // 0.0.0.0 would be all of IPv6 too
	}
	l, err := net.Listen(network, addr)
	if err != nil {
		return nil, err
	}
	if tcp := l.Addr().(*net.TCPAddr); !tcp.IP.IsLoopback() && len(s.server.Users) == 0 {
		l.Close()
		return nil, usagef("--resp %s can be reached from other machines, and there are no users: say --users or %s", s.addr, passwordEnv)
	}
	if s.cert == "" {
		return l, nil
	}
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}), nil
}

// secret reports whether a listener speaks TLS.
func (s *serving) secret(l net.Listener) bool { return s.cert != "" && l.Addr().Network() == "tcp" }

// listenUnix listens on a Unix socket. A file that a process has left there that is gone is taken over.
func listenUnix(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil {
		if info.Mode()&os.ModeSocket == 0 {
			return nil, fmt.Errorf("--unixsocket %s: there is a file that is no socket", path)
		}
		conn, err := net.DialTimeout("unix", path, time.Second)
		if err == nil {
			return nil, errors.Join(fmt.Errorf("--unixsocket %s: in use by another process", path), conn.Close())
		}
		if !errors.Is(err, syscall.ECONNREFUSED) { // somebody may listen there
			return nil, fmt.Errorf("--unixsocket %s: %w", path, err)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	return net.Listen("unix", path)
}

func closeAll(listeners []net.Listener) {
	for _, l := range listeners {
		_ = l.Close() // those that were served are closed
	}
}

package serve

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"

	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/server/resp"
)

// listen opens the listeners that the flags name. Connections wait until the server accepts them.
func (s *serving) listen() (listeners []net.Listener, err error) {
	defer func() {
		if err != nil {
			closeAll(listeners)
		}
	}()
	if s.addr != "" {
		l, err := s.listenTCP()
		if err != nil {
			return listeners, err
		}
		listeners, s.redis = append(listeners, l), l.Addr().String()
	}
	if s.socket != "" {
		l, err := s.server.Bind("unix:" + s.socket)
		if err != nil {
			return listeners, fmt.Errorf("--unixsocket: %w", err)
		}
		listeners, s.redis = append(listeners, &limited{l, s.door, tooManyClients}), cmp.Or(s.redis, "unix:"+s.socket)
	}
	return listeners, nil
}

// listenTCP listens on --resp.
func (s *serving) listenTCP() (net.Listener, error) {
	l, err := s.server.Bind(s.addr)
	if errors.Is(err, resp.ErrNoPassword) {
		return nil, flags.Errorf("--resp %s can be reached from other machines, and there are no users: say --users or %s", s.addr, passwordEnv)
	}
	if err != nil {
		return nil, fmt.Errorf("--resp: %w", err)
	}
	if s.cert == "" {
		return &limited{l, s.door, tooManyClients}, nil
	}
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("--tls-cert, --tls-key: %w", err), l.Close())
	}
	return tls.NewListener(&limited{l, s.door, ""}, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}), nil
}

// secret reports whether a listener speaks TLS.
func (s *serving) secret(l net.Listener) bool { return s.cert != "" && l.Addr().Network() == "tcp" }

func closeAll(listeners []net.Listener) {
	for _, l := range listeners {
		_ = l.Close() // the server has closed those that it served
	}
}

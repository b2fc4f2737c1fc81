package resp

import (
	"net"
	"strings"
	"sync"
)

// listeners are the listeners that a server serves. Its methods may be called from any goroutine.
type listeners struct {
	mu  sync.Mutex
	all map[*listener]struct{}
}

// listener is a net.Listener that is served. Two of them may be the same net.Listener.
type listener struct{ net.Listener }

// add adds a listener.
func (s *listeners) add(l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[*listener]struct{}{}
	}
	s.all[l] = struct{}{}
}

// remove removes a listener.
func (s *listeners) remove(l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, l)
}

// close closes all listeners. They stay in the set.
func (s *listeners) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.all {
		_ = l.Close()
	}
}

// address returns a TCP address that the server listens on: the one with the lowest port as text. The port is "0" if there is none.
func (s *listeners) address() (host, port string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	host, port = "", "0"
	for l := range s.all {
		if h, p, err := net.SplitHostPort(l.Addr().String()); err == nil && (host == "" || strings.Compare(p, port) < 0) {
			host, port = h, p
		}
	}
	return host, port
}

package listen

import (
	"net"
	"strings"
	"sync"
)

// Set are the listeners that a server serves. Its methods may be called from any goroutine.
type Set struct {
	mu  sync.Mutex
	all map[*Listener]struct{}
}

// Listener is a net.Listener that is served. Two of them may be the same net.Listener.
type Listener struct{ net.Listener }

// Add adds a listener.
func (s *Set) Add(l *Listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[*Listener]struct{}{}
	}
	s.all[l] = struct{}{}
}

// Remove removes a listener.
func (s *Set) Remove(l *Listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, l)
}

// Close closes all listeners. They stay in the set.
func (s *Set) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.all {
		_ = l.Close()
	}
}

// Address returns a TCP address that the server listens on: the one with the lowest port as text. The port is "0" if there is none.
func (s *Set) Address() (host, port string) {
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

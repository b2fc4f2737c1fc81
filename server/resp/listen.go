package resp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/flow"
)

// listener is a net.Listener that is served.
type listener struct{ net.Listener }

// closeGrace is how long Close waits for clients to take what they have been answered.
const closeGrace = 5 * time.Second

// Listen binds an address as Options.Bind does, and serves it in the background until Close. It returns the address, with the port that
// was chosen for port 0. Errors: those of Options.Bind, ErrClosed.
func (s *Server) Listen(addr string) (net.Addr, error) {
	l, err := s.o.Bind(addr)
	if err != nil {
		return nil, err
	}
	own := &listener{l}
	if err := s.enter(own); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	go func() { _ = s.accept(own) }()
	return l.Addr(), nil
}

// Serve serves the clients that come to a listener, of TLS say, until Close or until the listener fails, and closes it. Errors:
// ErrNoPassword, ErrClosed after Close, the listener's.
func (s *Server) Serve(l net.Listener) error {
	own := &listener{l}
	if err := s.enter(own); err != nil {
		return errors.Join(err, l.Close())
	}
	return s.accept(own)
}

// accept takes clients until the server or the listener, which has entered, ends.
func (s *Server) accept(l *listener) error {
	defer s.leave(l)
	for {
		conn, err := l.Accept()
		if err == nil {
			if !s.take(conn) {
				s.refused.warn(s.o.Logger, "resp: client refused, there are as many as there may be", "addr", conn.RemoteAddr())
			}
			continue
		}
		if s.ctx.Err() != nil {
			return ErrClosed
		}
		var passing interface{ Temporary() bool }
		if !errors.As(err, &passing) || !passing.Temporary() {
			return fmt.Errorf("resp: %w", err)
		}
		s.o.Logger.Warn("resp: accept", "err", err) // out of descriptors, say
		select {
		case <-time.After(50 * time.Millisecond):
		case <-s.ctx.Done():
		}
	}
}

func (s *Server) enter(l *listener) error {
	if err := s.o.admits(l.Addr()); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.listeners[l] = struct{}{}
	s.done.Add(1)
	return nil
}

func (s *Server) leave(l *listener) {
	_ = l.Close()
	s.mu.Lock()
	delete(s.listeners, l)
	s.mu.Unlock()
	s.done.Done()
}

// take serves a client in a goroutine of its own. It returns false if there is no room for one more, who has been told so.
func (s *Server) take(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		_ = conn.Close()
	case len(s.clients) >= s.o.MaxClients:
		s.counters.refused.Add(1)
		flow.Try(conn, "-ERR max number of clients reached\r\n")
		_ = conn.Close()
		return false
	default:
		s.counters.connections.Add(1)
		c := newClient(s, conn, s.lastID.Add(1))
		s.clients[c.id] = c
		s.done.Add(1)
		go func() {
			defer s.done.Done()
			c.serve()
			s.mu.Lock()
			delete(s.clients, c.id)
			s.mu.Unlock()
		}()
	}
	return true
}

// Close stops listening, lets every client finish the commands it has begun and take the replies, for 5 s at most, and disconnects
// it. Commands that wait for members end, and so do big set operations after these 5 s, with nothing stored. Close twice is nil, and
// waits for the first. Error: engine.ErrInTx inside a closure of the engine, which a client may wait for; nothing is closed then.
func (s *Server) Close() error {
	if s.e.InTx() {
		return engine.ErrInTx
	}
	defer s.abandon()
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	s.mu.Lock()
	again := s.closed
	s.closed = true
	s.mu.Unlock()
	if again {
		s.done.Wait()
		return nil
	}
	s.stop()
	s.mu.Lock()
	for l := range s.listeners {
		_ = l.Close()
	}
	for _, c := range s.clients {
		c.hurry()
	}
	s.mu.Unlock()
	ended := make(chan struct{})
	go func() { s.done.Wait(); close(ended) }()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	s.abandon()
	s.mu.Lock()
	for _, c := range s.clients {
		_ = c.conn.Close()
	}
	s.mu.Unlock()
	<-ended
	return nil
}

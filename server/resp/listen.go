package resp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/dispatch"
	"github.com/zrankdb/zrank/server/resp/internal/flow"
	"github.com/zrankdb/zrank/server/resp/internal/listen"
)

// Listen binds an address as Options.Bind does, and serves it in the background until Close. It returns the address, with the port chosen
// for port 0. Errors: those of Options.Bind, ErrClosed.
func (s *Server) Listen(addr string) (net.Addr, error) {
	l, err := s.o.Bind(addr)
	if err != nil {
		return nil, err
	}
	own := &listen.Listener{Listener: l}
	if err := s.enter(own); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	go func() { _ = s.accept(own) }()
	return l.Addr(), nil
}

// Serve serves the clients of a listener, of TLS say, until Close or until the listener fails, and closes the listener. Errors:
// ErrNoPassword, ErrClosed after Close, the listener's.
func (s *Server) Serve(l net.Listener) error {
	own := &listen.Listener{Listener: l}
	if err := s.enter(own); err != nil {
		return errors.Join(err, l.Close())
	}
	return s.accept(own)
}

// accept accepts clients until the server or the listener, which enter has added, closes.
func (s *Server) accept(l *listen.Listener) error {
	defer s.leave(l)
	for {
		conn, err := l.Accept()
		if err == nil {
			if !s.take(conn) {
				s.refused.Warn(s.o.Logger, "resp: client refused, there are as many as there may be", "addr", conn.RemoteAddr())
			}
			continue
		}
		if s.host.Ctx.Err() != nil {
			return ErrClosed
		}
		var passing interface{ Temporary() bool }
		if !errors.As(err, &passing) || !passing.Temporary() {
			return fmt.Errorf("resp: %w", err)
		}
		s.o.Logger.Warn("resp: accept", "err", err) // such as too many open files
		select {
		case <-time.After(50 * time.Millisecond):
		case <-s.host.Ctx.Done():
		}
	}
}

// enter adds a listener, unless the server is closed.
func (s *Server) enter(l *listen.Listener) error {
	if err := s.o.admits(l.Addr()); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.listeners.Add(l)
	s.done.Add(1)
	return nil
}

// leave closes and removes a listener that enter has added.
func (s *Server) leave(l *listen.Listener) {
	_ = l.Close()
	s.listeners.Remove(l)
	s.done.Done()
}

// take serves a client in a new goroutine. If there are MaxClients already, it sends the client an error, and returns false.
func (s *Server) take(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = conn.Close()
		return true
	}
	c := s.host.Accept(conn)
	if c == nil {
		flow.Try(conn, "-ERR max number of clients reached\r\n")
		_ = conn.Close()
		return false
	}
	s.done.Add(1)
	go func() {
		defer s.done.Done()
		dispatch.Serve(c)
		s.host.Clients.Remove(c)
	}()
	return true
}

// Close stops listening, lets each client finish its current commands and take the replies, for 5 s at most, and disconnects it. Commands that
// wait for members end at once, and deferred set operations after these 5 s, with nothing stored. A second Close waits for the first, and
// returns nil. Error: engine.ErrInTx inside a closure of the engine, for which a client may wait; nothing is closed then.
func (s *Server) Close() error {
	if s.e.InTx() {
		return engine.ErrInTx
	}
	defer s.abandon()
	ctx, cancel := context.WithTimeout(context.Background(), dispatch.CloseGrace)
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
	s.listeners.Close()
	for _, c := range s.host.Clients.All() {
		c.Conn.Stop()
	}
	ended := make(chan struct{})
	go func() { s.done.Wait(); close(ended) }()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	s.abandon()
	for _, c := range s.host.Clients.All() {
		_ = c.Conn.Close()
	}
	<-ended
	return nil
}

package redis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/zrankdb/zrank/bench/internal/process"
)

const (
	// loadTimeout is how long a server may take to load its files.
	loadTimeout = 10 * time.Minute
	// pollInterval is the time between two attempts to reach a server that starts.
	pollInterval = time.Millisecond
	// logFile holds the output of the server, in its directory.
	logFile = "log"
)

// Server is a running server, with a connection to fill it and to ask it questions.
type Server struct {
	Conn
	Loaded time.Duration // from the start of the process until it answered
	Addr   string
	dir    string
	cmd    *exec.Cmd
	ended  chan struct{}
	conns  []Conn
}

// Find returns the redis-server in the path, and "" if there is none.
func Find() (program string, err error) {
	program, err = exec.LookPath("redis-server")
	if errors.Is(err, exec.ErrNotFound) {
		return "", nil
	}
	return program, err
}

// Start starts a redis-server on a free port of loopback, and waits until it has loaded the files in a directory. The server saves only
// what options say. On Linux it ends with this process.
func Start(ctx context.Context, program, dir string, options ...string) (*Server, error) {
	addr, err := FreeAddr()
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	args := append([]string{"--bind", "127.0.0.1", "--port", port, "--dir", dir, "--logfile", "", "--daemonize", "no", "--save", ""},
		options...)
	return Launch(ctx, dir, addr, program, args...)
}

// Launch starts a program whose arguments make it serve an address, and waits until it answers. Its output goes to a file in a directory.
func Launch(ctx context.Context, dir, addr, program string, args ...string) (*Server, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(dir, logFile))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	s := &Server{Addr: addr, dir: dir, cmd: exec.CommandContext(ctx, program, args...), ended: make(chan struct{})}
	s.cmd.SysProcAttr, s.cmd.Stdout, s.cmd.Stderr = process.Attr, log, log
	start := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = s.cmd.Wait() // killed
		close(s.ended)
	}()
	if err = wait(ctx, addr, s.ended); err == nil {
		s.Loaded = time.Since(start)
		s.Conn, err = s.Connect()
	}
	if err != nil {
		text, _ := os.ReadFile(filepath.Join(dir, logFile)) // only for the error
		return nil, errors.Join(fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, text), s.Close())
	}
	return s, nil
}

// FreeAddr returns an address of loopback on which nobody listens.
func FreeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// wait waits until a server answers, or has ended.
func wait(ctx context.Context, addr string, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeoutCause(ctx, loadTimeout, fmt.Errorf("no answer within %v", loadTimeout))
	defer cancel()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		if c, err := redis.Dial("tcp", addr); err == nil {
			_, err = c.Do("PING")
			if errors.Join(err, c.Close()) == nil {
				return nil
			}
		}
		select {
		case <-ended:
			return errors.New("it ended before it answered")
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// PID returns the process number of the server.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Connect returns one more connection, which Close closes.
func (s *Server) Connect() (Conn, error) {
	c, err := redis.Dial("tcp", s.Addr)
	if err == nil {
		s.conns = append(s.conns, Conn{c})
	}
	return Conn{c}, err
}

// Halt stops the process and Resume continues it, so that it does not disturb other measurements.
func (s *Server) Halt() error { return process.Stop(s.cmd.Process) }

// Resume continues the process after Halt.
func (s *Server) Resume() error { return process.Resume(s.cmd.Process) }

// Close closes the connections, kills the server and waits until it has ended.
func (s *Server) Close() (err error) {
	for _, c := range s.conns {
		err = errors.Join(err, c.Close())
	}
	err = errors.Join(err, process.Kill(s.cmd.Process))
	<-s.ended
	return err
}

package redis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

const (
	// patience is how long a server may take to load.
	patience = 10 * time.Minute
	// ask is the time between two attempts to hear from it.
	ask = time.Millisecond
	// logFile is where goes what the server has to say, in its directory.
	logFile = "log"
)

// Server is a process of its own.
type Server struct {
	Loaded time.Duration // from its start until it answered
	addr   string
	dir    string
	cmd    *exec.Cmd
	ended  chan struct{}
}

// Find returns the redis-server in the path, and "" if there is none.
func Find() (program string, err error) {
	program, err = exec.LookPath("redis-server")
	if errors.Is(err, exec.ErrNotFound) {
		return "", nil
	}
	return program, err
}

// Start starts a redis-server on a port of loopback that is free, with its files in a directory, and waits until it has loaded
// those. It saves nothing by itself, unless an option says so. It ends with this process, where the system can arrange that.
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

// Launch starts a program that is told by its arguments to serve an address, and waits until it does. What it prints goes to a
// file in a directory. It ends with this process, as that of Start.
func Launch(ctx context.Context, dir, addr, program string, args ...string) (*Server, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(dir, logFile))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	s := &Server{addr: addr, dir: dir, cmd: exec.CommandContext(ctx, program, args...), ended: make(chan struct{})}
	s.cmd.SysProcAttr, s.cmd.Stdout, s.cmd.Stderr = ownGroup, log, log
	start := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = s.cmd.Wait() // killed
		close(s.ended)
	}()
	if err := wait(ctx, s.addr, s.ended); err != nil {
		return nil, errors.Join(s.explain(err), s.Close())
	}
	s.Loaded = time.Since(start)
	return s, nil
}

// Addr is where the server listens.
func (s *Server) Addr() string { return s.addr }

// PID is the number of the server's process.
func (s *Server) PID() string { return strconv.Itoa(s.cmd.Process.Pid) }

// FreeAddr returns an address of loopback that nobody listens on now.
func FreeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// wait waits until a server answers, unless it has ended.
func wait(ctx context.Context, addr string, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %v", patience))
	defer cancel()
	tick := time.NewTicker(ask)
	defer tick.Stop()
	for {
		if ping(addr) == nil {
			return nil
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

// ping asks a server whether it is there and has loaded.
func ping(addr string) error {
	c, err := Dial(addr)
	if err != nil {
		return err
	}
	_, err = c.Do("PING")
	return errors.Join(err, c.Close())
}

// Dial connects to the server.
func (s *Server) Dial() (*Conn, error) { return Dial(s.addr) }

// Do connects, sends one command and returns its reply.
func (s *Server) Do(args ...string) (string, error) {
	c, err := s.Dial()
	if err != nil {
		return "", s.explain(err)
	}
	reply, err := c.Do(args...)
	return reply, s.explain(errors.Join(err, c.Close()))
}

// Close kills the server and waits until it is gone.
func (s *Server) Close() error {
	err := kill(s.cmd.Process)
	<-s.ended
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// explain adds what the server wrote to an error.
func (s *Server) explain(err error) error {
	if err == nil {
		return nil
	}
	log, _ := os.ReadFile(filepath.Join(s.dir, logFile)) // without it the error is less clear, no more
	return fmt.Errorf("%s: %w\n%s", filepath.Base(s.cmd.Path), err, log)
}

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
	// logFile is where the server writes what it has to say, in its directory.
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

// Start starts a program on a port of loopback that is free, with its files in a directory, and waits until it has loaded
// those. It saves nothing by itself, unless an option says so. It ends with this process, where the system can arrange that.
func Start(ctx context.Context, program, dir string, options ...string) (*Server, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	args := append([]string{"--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--dir", dir, "--logfile", logFile,
		"--daemonize", "no", "--save", ""}, options...)
	s := &Server{addr: fmt.Sprintf("127.0.0.1:%d", port), dir: dir, cmd: exec.CommandContext(ctx, program, args...),
		ended: make(chan struct{})}
	s.cmd.SysProcAttr = ownGroup
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

// freePort returns a port that nobody listens on now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
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
	return fmt.Errorf("redis-server: %w\n%s", err, log)
}

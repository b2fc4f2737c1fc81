package redistest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

// ErrNone is returned if there is no redis-server, and tests may be skipped for that.
var ErrNone = errors.New("redistest: there is no redis-server")

// attributes are those of the processes that are started. On Linux they end with this one, however it ends.
var attributes *syscall.SysProcAttr

// killChildren kills what a server has started, such as the child that saves for a replica: it would write into a directory that a test removes. Only Linux has it.
var killChildren = func(pid int) {}

// Servers are processes.
type Servers struct {
	Ports    []int
	Commands []*exec.Cmd
}

// Program is the name of the program.
func Program() string {
	if name := os.Getenv("ZRANK_REDIS_SERVER"); name != "" {
		return name
	}
	return "redis-server"
}

// MustRun reports whether the environment variable REDIS is all: then no test may be skipped because it lacks a redis-server.
func MustRun() bool { return os.Getenv("REDIS") == "all" }

// none is the error if there is no program: ErrNone unless tests must run.
func none(err error) error {
	if MustRun() {
		return fmt.Errorf("redistest: REDIS=all, but there is no redis-server: %w", err)
	}
	return fmt.Errorf("%w: %w", ErrNone, err)
}

// Start starts n servers that save nothing, with directories of their own in a directory, and waits until they answer. Errors: ErrNone, those of the system.
func Start(dir string, n int, arguments ...string) (*Servers, error) {
	program, err := exec.LookPath(Program())
	if err != nil {
		return nil, none(err)
	}
	s := &Servers{}
	for range n {
		if err := s.start(program, dir, arguments); err != nil {
			s.Close()
			return nil, err
		}
	}
	for i := range s.Ports {
		c := s.Client(i)
		err := until(func() bool { return c.Ping(context.Background()).Err() == nil })
		_ = c.Close()
		if err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

// start starts one server.
func (s *Servers) start(program, dir string, arguments []string) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	own := filepath.Join(dir, strconv.Itoa(port))
	if err := os.Mkdir(own, 0o777); err != nil {
		return err
	}
	args := append([]string{"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--save", "", "--dir", own, "--logfile", "log"}, arguments...)
	c := exec.Command(program, args...)
	c.SysProcAttr = attributes
	if err := c.Start(); err != nil {
		return err
	}
	s.Ports, s.Commands = append(s.Ports, port), append(s.Commands, c)
	return nil
}

// Close kills all servers.
func (s *Servers) Close() {
	for _, c := range s.Commands {
		_ = c.Process.Kill()
		_ = c.Wait()
		killChildren(c.Process.Pid)
	}
}

// Addr returns the address of a server.
func (s *Servers) Addr(i int) string { return "127.0.0.1:" + strconv.Itoa(s.Ports[i]) }

// Addrs returns the addresses of all servers.
func (s *Servers) Addrs() (all []string) {
	for i := range s.Ports {
		all = append(all, s.Addr(i))
	}
	return all
}

// Client returns a client of one server, which the caller closes.
func (s *Servers) Client(i int) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: s.Addr(i)})
}

// until waits until something is so, for at most a minute.
func until(isSo func() bool) error {
	for begin := time.Now(); !isSo(); <-time.After(10 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			return errors.New("redistest: the servers are not ready after a minute")
		}
	}
	return nil
}

package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// served is a process of "zrank serve".
type served struct {
	t    *testing.T
	c    *exec.Cmd
	addr string   // the address that it listens on
	api  string   // the URL of its API
	logs []string // lines, until it ended
	done chan error
}

var (
	listening = regexp.MustCompile(`msg=listening network=tcp address=(\S+)`)
	apiAt     = regexp.MustCompile(`msg=listening api=(\S+)`)
)

// startServer starts a server on a free port and waits until it listens. The end of the test kills it, if it still runs.
func startServer(t *testing.T, args ...string) *served {
	t.Helper()
	return launch(t, process(append([]string{"serve", "--resp", "127.0.0.1:0", "--api", "127.0.0.1:0"}, args...)...))
}

// launch is startServer of a command.
func launch(t *testing.T, c *exec.Cmd) *served {
	t.Helper()
	s := &served{t: t, c: c, done: make(chan error, 1)}
	errs, err := s.c.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, s.c.Start())
	t.Cleanup(func() { _ = s.c.Process.Kill() })
	started := make(chan bool, 1)
	go func() {
		for lines := bufio.NewScanner(errs); lines.Scan(); {
			s.logs = append(s.logs, lines.Text())
			if at := listening.FindStringSubmatch(lines.Text()); at != nil {
				s.addr = at[1]
			}
			if at := apiAt.FindStringSubmatch(lines.Text()); at != nil {
				s.api = at[1]
			}
			if strings.Contains(lines.Text(), "msg=started") {
				started <- true
			}
		}
		s.done <- s.c.Wait()
	}()
	select {
	case <-started:
	case err := <-s.done:
		require.FailNow(t, "it ended", "%v\n%s", err, strings.Join(s.logs, "\n"))
	case <-time.After(time.Minute):
		require.FailNow(t, "it does not start")
	}
	return s
}

// end waits for the end of the process and returns its exit code, -1 if it was killed.
func (s *served) end() int {
	s.t.Helper()
	select {
	case <-s.done:
	case <-time.After(time.Minute):
		require.FailNow(s.t, "it does not end")
	}
	return s.c.ProcessState.ExitCode()
}

// caller is a client that sends commands as lines.
type caller struct {
	conn net.Conn
	r    *bufio.Reader
}

func call(t *testing.T, network, addr string) *caller {
	t.Helper()
	conn, err := net.Dial(network, addr)
	require.NoError(t, err)
	return newCaller(t, conn)
}

func newCaller(t *testing.T, conn net.Conn) *caller {
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return &caller{conn, bufio.NewReader(conn)}
}

// ask sends lines and returns the first line of each reply.
func (c *caller) ask(lines ...string) (replies []string, err error) {
	if _, err := fmt.Fprint(c.conn, strings.Join(lines, "\r\n")+"\r\n"); err != nil {
		return nil, err
	}
	for range lines {
		reply, err := c.reply()
		if err != nil {
			return replies, err
		}
		replies = append(replies, reply)
	}
	return replies, nil
}

// reply reads a reply of RESP2 and returns its first line.
func (c *caller) reply() (string, error) {
	line, err := c.r.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimSpace(line)
	n, _ := strconv.Atoi(line[1:])
	switch {
	case line[0] == '$' && n >= 0:
		_, err = c.r.Discard(n + 2)
	case line[0] == '*':
		for ; n > 0 && err == nil; n-- {
			_, err = c.reply()
		}
	}
	return line, err
}

// says is ask for one line. It returns the first line of the reply.
func (c *caller) says(t *testing.T, line string) string {
	t.Helper()
	replies, err := c.ask(line)
	require.NoError(t, err)
	return replies[0]
}

// TestServeWhere: serve listens on TCP, on a Unix socket, also where a dead server has left its file, and over TLS. It refuses addresses
// that are in use.
func TestServeWhere(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket})
	require.NoError(t, err)
	left.SetUnlinkOnClose(false)
	require.NoError(t, left.Close())

	s := startServer(t, "--memory", "--unixsocket", socket)
	require.Equal(t, "+PONG", call(t, "tcp", s.addr).says(t, "PING"))
	require.Equal(t, "+PONG", call(t, "unix", socket).says(t, "PING"))
	fails(t, 1, "in use by another process", "serve", "--memory", "--resp", "127.0.0.1:0", "--unixsocket", socket)
	fails(t, 1, "address already in use", "serve", "--memory", "--resp", s.addr)
	file := write(t, filepath.Join(dir, "file"), "x")
	fails(t, 1, "no socket", "serve", "--memory", "--resp", "", "--unixsocket", file)
	require.NoError(t, s.c.Process.Signal(os.Interrupt))
	require.Zero(t, s.end())
	require.NoFileExists(t, socket)

	cert, key := certificate(t, dir)
	s = startServer(t, "--memory", "--tls-cert", cert, "--tls-key", key)
	pem, err := os.ReadFile(cert)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(pem))
	conn, err := tls.Dial("tcp", s.addr, &tls.Config{RootCAs: roots, ServerName: "localhost"})
	require.NoError(t, err)
	require.Equal(t, "+PONG", newCaller(t, conn).says(t, "PING"))
	_, err = call(t, "tcp", s.addr).ask("PING")
	require.Error(t, err)
	require.NoError(t, s.c.Process.Signal(os.Interrupt))
	require.Zero(t, s.end())
	require.Contains(t, strings.Join(s.logs, "\n"), "TLS handshake failed")
}

// TestServeLimits: serve refuses a client above --maxclients and logs that, and refuses writes above the memory limit.
func TestServeLimits(t *testing.T) {
	s := startServer(t, "--memory", "--maxclients", "1", "--memory-limit", "1B", "--max-request", "1KiB", "--client-memory", "1MiB", "--cpus", "1", "--scores", "7.0")
	c := call(t, "tcp", s.addr)
	require.Equal(t, "+PONG", c.says(t, "PING"))
	reply, err := call(t, "tcp", s.addr).reply()
	require.NoError(t, err)
	require.Equal(t, "-ERR max number of clients reached", reply)
	require.Contains(t, c.says(t, "ZADD k 0.1 a"), "-OOM")
	_, err = fmt.Fprint(c.conn, "CONFIG GET maxmemory-clients\r\n")
	require.NoError(t, err)
	for _, want := range []string{"*2", "$17", "maxmemory-clients", "$7", "1048576"} {
		line, err := c.r.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, want+"\r\n", line)
	}
	require.Equal(t, "-ERR Protocol error: too big mbulk count string", c.says(t, "*"+strings.Repeat("1", 70_000)))
	require.NoError(t, s.c.Process.Signal(os.Interrupt))
	require.Zero(t, s.end())
	require.Contains(t, strings.Join(s.logs, "\n"), "client refused")
	require.Contains(t, strings.Join(s.logs, "\n"), "disconnected")
}

// TestServeMistakes: wrong flags give an error of one line before anything listens.
func TestServeMistakes(t *testing.T) {
	dir := t.TempDir()
	bad := write(t, filepath.Join(dir, "bad"), "ada secret\nbob\n")
	kind := write(t, filepath.Join(dir, "kind"), "ada secret write\nbob secret readonly\n")
	nobody := write(t, filepath.Join(dir, "nobody"), "# nobody\n")
	twice := write(t, filepath.Join(dir, "twice"), "ada secret\nada other read\n")
	for _, m := range []struct {
		why  string
		args []string
	}{
		{"can be reached from other machines", []string{"--resp", "0.0.0.0:0"}},
		{"exclude each other", []string{"--dir", dir}},
		{"nothing to listen on", []string{"--resp", "", "--api", ""}},
		{"a Unix socket is given by --unixsocket", []string{"--resp", "unix:/tmp/s"}},
		{"belong together", []string{"--tls-cert", "x"}},
		{"want sync, interval or none", []string{"--durability", "never"}},
		{"want 7.2 or 7.0", []string{"--scores", "6"}},
		{"--cpus is -1", []string{"--cpus", "-1"}},
		{"Databases is 1000", []string{"--databases", "1000"}},
		{"MaxClients is -1", []string{"--maxclients", "-1"}},
		{"want a number of bytes", []string{"--memory-limit", "1.5GiB"}},
		{"--client-memory is 1KiB, want 0, which is 256MiB, or at least 64KiB", []string{"--client-memory", "1KiB"}},
		{"line 2: want NAME PASSWORD", []string{"--users", bad}},
		{"line 2: want NAME PASSWORD [read|write|moderate|any]", []string{"--users", kind}},
		{"nobody in it", []string{"--users", nobody}},
		{`two users "ada"`, []string{"--users", twice}},
	} {
		fails(t, exitUsage, m.why, append([]string{"serve", "--memory"}, m.args...)...)
	}
	for _, args := range [][]string{{"--users", "none"}, {"--spec", "none"}, {"--tls-cert", "none", "--tls-key", "none"}} {
		r := zrank(nil, append([]string{"serve", "--memory", "--resp", "127.0.0.1:0", "--api", ""}, args...)...)
		require.Equal(t, exitFailed, r.code, args)
		require.Contains(t, r.errs, "zrank: ", args)
	}
}

// TestServeUsers: commands need a password, and serve warns of a file of users that others can read.
func TestServeUsers(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "users"), "# who may\n\nada secret\nbob look read\n")
	require.NoError(t, os.Chmod(path, 0o644))
	s := startServer(t, "--memory", "--users", path, "--resp", "0.0.0.0:0")
	require.Contains(t, strings.Join(s.logs, "\n"), "others can read the file of users")
	c := call(t, "tcp", s.addr)
	require.Contains(t, c.says(t, "ZADD k 1 a"), "-NOAUTH")
	require.Contains(t, c.says(t, "AUTH ada wrong"), "-WRONGPASS")
	require.Equal(t, "+OK", c.says(t, "AUTH ada secret"))
	require.Equal(t, ":1", c.says(t, "ZADD k 1 a"))
	require.Equal(t, "+OK", c.says(t, "AUTH bob look"))
	require.Contains(t, c.says(t, "ZADD k 1 a"), "-NOPERM")
	require.Equal(t, ":1", c.says(t, "ZCARD k"))
	require.NoError(t, s.c.Process.Signal(os.Interrupt))
	require.Zero(t, s.end())
	require.NotContains(t, strings.Join(s.logs, "\n"), "secret")
}

// TestServeReplayed: a directory that replay has filled is served in the time of its data.
func TestServeReplayed(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	csv := write(t, filepath.Join(tmp, "r.csv"), "time,member,score,board\n2026-11-10T12:00:00Z,ada,15,arena\n2026-11-11T12:00:00Z,bea,20,arena\n")
	must(t, "replay", "--dir", dir, "--window", "all,day", csv)
	s := startServer(t, "--dir", dir)
	require.Contains(t, strings.Join(s.logs, "\n"), "stands still")
	c := call(t, "tcp", s.addr)
	require.Equal(t, "*1", c.says(t, "BOARD.TOP arena day 5"))
	require.Equal(t, "*2", c.says(t, "ZREVRANGE board/arena/day/2026-11-10/v1 0 -1 WITHSCORES"))
	require.NoError(t, s.c.Process.Signal(os.Interrupt))
	require.Zero(t, s.end())
	require.Contains(t, must(t, "periods", "--dir", dir, "arena"), "2026-11-11")
}

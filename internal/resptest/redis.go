package resptest

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Redis starts a redis-server of series 7.0 without persistence on a free port of 127.0.0.1 and stops it when the test ends. The program
// is the one that ZRANK_REDIS_SERVER names, or else the first in PATH; where there is none, or only one of another series,
// the test is skipped, or fails if REDIS is all.
func Redis(t testing.TB) *Peer {
	t.Helper()
	program := os.Getenv("ZRANK_REDIS_SERVER")
	if program == "" {
		program = "redis-server"
	}
	skipf := t.Skipf
	if os.Getenv("REDIS") == "all" {
		skipf = t.Fatalf
	}
	version, err := exec.Command(program, "--version").Output()
	if err != nil {
		skipf("no redis-server 7.0 to compare with: %v; install Debian's package redis-server, or name one in ZRANK_REDIS_SERVER", err)
	}
	if !strings.Contains(string(version), " v=7.0.") {
		skipf("replies are compared with those of redis-server 7.0, and %s is another: %s", program, version)
	}
	for range 5 { // another process may take the port between its choice and its use
		if address := start(t, program); address != "" {
			return At("tcp", address)
		}
	}
	t.Fatalf("%s does not start", program)
	return nil
}

// start runs the program until the test ends, and returns its address once it accepts connections; "" if the program has ended before.
func start(t testing.TB, program string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.CommandContext(t.Context(), program, "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no",
		"--dir", t.TempDir(), "--daemonize", "no", "--logfile", "", "--hz", "500") // it checks timeouts 500 times a second
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	lines, log := bufio.NewScanner(out), ""
	for lines.Scan() {
		if strings.Contains(lines.Text(), "Ready to accept connections") {
			t.Cleanup(func() { cmd.Wait() }) // the end of the test's context, before this, kills it
			return address
		}
		log += lines.Text() + "\n"
	}
	t.Logf("%s has given up: %v\n%s", program, cmd.Wait(), log)
	return ""
}

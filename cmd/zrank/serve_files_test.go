//go:build unix

package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestServeFewFiles: more idle connections than the process may have files open, of the API and of Redis clients, take nothing from the store: a client that
// writes goes on while they are there, and everybody can when they are gone. A Redis client too many is told so.
func TestServeFewFiles(t *testing.T) {
	for _, limit := range []int{64, 1024} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			args := []string{"-c", fmt.Sprintf(`ulimit -n %d; exec "$0" "$@"`, limit), os.Args[0], "serve", "--resp", "127.0.0.1:0", "--api", "127.0.0.1:0",
				"--dir", filepath.Join(t.TempDir(), "data"), "--durability", "interval"}
			c := exec.Command("sh", args...)
			c.Env = process().Env
			s := launch(t, c)
			w := call(t, "tcp", s.addr)
			require.Equal(t, "+PONG", w.says(t, "PING"))
			idle := append(connect(t, limit+76, strings.TrimPrefix(s.api, "http://")), connect(t, limit, s.addr)...)
			told, err := bufio.NewReader(idle[len(idle)-1]).ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "-ERR max number of clients reached\r\n", told)

			value := strings.Repeat("x", 60_000)
			for i := range 150 {
				require.Equal(t, "+OK", w.says(t, fmt.Sprintf("SET k%d %s", i, value)), "set %d", i)
			}
			for _, conn := range idle {
				require.NoError(t, conn.Close())
			}
			require.Equal(t, "+OK", w.says(t, "SET after 1"))
			for { // until the server has seen that they are gone
				answer, err := http.Get(s.api + "/v1/openapi.json")
				if err == nil {
					require.NoError(t, answer.Body.Close())
					require.Equal(t, http.StatusOK, answer.StatusCode)
					break
				}
			}
			s.stop()
			require.Contains(t, strings.Join(s.logs, "\n"), "connections refused")
			require.NotContains(t, strings.Join(s.logs, "\n"), "the disk: failed")
		})
	}
}

// connect opens n connections that say nothing.
func connect(t *testing.T, n int, addr string) (list []net.Conn) {
	t.Helper()
	for range n {
		conn, err := net.Dial("tcp", addr)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		list = append(list, conn)
	}
	return list
}

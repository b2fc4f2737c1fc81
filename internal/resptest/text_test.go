package resptest_test

import (
	"net"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/resptest"
)

// TestScriptText: a script that is written as text and parsed again is the same.
func TestScriptText(t *testing.T) {
	steps := 0
	for seed := range uint64(64) {
		s := resptest.Generate(seed, 100)
		require.Equal(t, s, resptest.Generate(seed, 100), "a seed gives one script")
		again, err := resptest.Parse(s.String())
		require.NoError(t, err)
		require.Equal(t, s, again)
		steps += len(s)
	}
	t.Logf("%d steps", steps)
	_, err := resptest.Parse("PING\nECHO q\"\\z\"")
	require.ErrorContains(t, err, "line 2")
}

// TestRecordingText parses recordings and writes each reply as it was.
func TestRecordingText(t *testing.T) {
	for _, file := range []string{"redis-probe-7.0.15.txt", "redis-edges-7.0.15.txt", "redis-7.2.txt"} {
		text, err := os.ReadFile("../../zset/testdata/" + file)
		require.NoError(t, err)
		rows, err := resptest.ParseRecording(string(text))
		require.NoError(t, err)
		require.NotEmpty(t, rows)
		lines := strings.Split(string(text), "\n")
		for _, r := range rows {
			_, reply, _ := strings.Cut(lines[r.Line-1], " => ")
			require.Equal(t, strings.TrimSpace(reply), r.Want.String(), "%s:%d", file, r.Line)
		}
		t.Logf("%s: %d rows", file, len(rows))
	}
	for _, wrong := range []string{"PING", "PING => *[:1", "PING => :1 :2", "PING => ", `PING => "x`, `PING => *[:1 }x`} {
		_, err := resptest.ParseRecording("# one\n" + wrong)
		require.ErrorContains(t, err, "line 2", wrong)
	}
}

// TestConnReads: a Conn reads replies that arrive in pieces, and returns an error for bytes that are not a reply.
func TestConnReads(t *testing.T) {
	replies := []string{
		"+OK\r\n", "-ERR no\r\n", ":-5\r\n", "$-1\r\n", "$0\r\n\r\n", "$4\r\n\r\n+x\r\n", "*-1\r\n", "*0\r\n", "*2\r\n$1\r\na\r\n*1\r\n:1\r\n",
		"_\r\n", ",1e+17\r\n", "#t\r\n", "%1\r\n$1\r\na\r\n*2\r\n_\r\n~0\r\n", "=6\r\ntxt:ab\r\n", "$70000\r\n" + strings.Repeat("x", 70000) + "\r\n",
	}
	for _, size := range []int{1, 3, 1000} {
		c, done := feed(t, strings.Join(replies, ""), size)
		for _, want := range replies {
			got, err := c.Read()
			require.NoError(t, err)
			require.Equal(t, want, string(got))
		}
		done()
	}
	for _, wrong := range []string{"OK\r\n", "+OK\n", "$01\r\na\r\n", "$1\r\nab\r\n", "*-2\r\n", "%-1\r\n", "$x\r\n", "$-1\r", "\r\n", "*1\r\n"} {
		c, done := feed(t, wrong, len(wrong))
		_, err := c.Read()
		require.Error(t, err, "%q", wrong)
		done()
	}
	t.Logf("%d replies", len(replies))
}

// feed returns a connection on which the bytes arrive in pieces of the given size, and then its end.
func feed(t *testing.T, bytes string, size int) (c *resptest.Conn, done func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	c, err = resptest.At("tcp", l.Addr().String()).Dial()
	require.NoError(t, err)
	server, err := l.Accept()
	require.NoError(t, err)
	go func() {
		for from := 0; from < len(bytes); from += size {
			_, _ = server.Write([]byte(bytes[from:min(from+size, len(bytes))]))
		}
		server.Close()
	}()
	return c, func() { c.Close() }
}

package resptest_test

import (
	"bytes"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/server/resp/resptest"
)

// TestTwoOfAKind holds one redis-server against another: what differs then is a fault of the comparison.
func TestTwoOfAKind(t *testing.T) {
	a, b := resptest.Redis(t), resptest.Redis(t)
	report := resptest.Differ(t, a, b, 1, 6000)
	t.Log(report)
	require.Positive(t, report.Fed, "no client was blocked and fed")
	for _, name := range resptest.Names() {
		require.NotZero(t, report.ByName[name].Replies, "no script has %s", name)
	}
}

// TestLieIsFound holds a redis-server against one behind a wire that changes what it says: that must be found, and the script that
// shows it must be short, and replay.
func TestLieIsFound(t *testing.T) {
	redis, other := resptest.Redis(t), resptest.Redis(t)
	for _, lie := range []struct {
		truth, said string
		seed        uint64
		steps       int // that show it
	}{
		{"skiplist", "listpack", 9, 3},
		{"\r\n-inf\r\n", "\r\n+inf\r\n", 16, 2},
	} {
		liar := wire(t, other, lie.truth, lie.said)
		listener := &notes{TB: t}
		resptest.Differ(listener, redis, liar, lie.seed, 800)
		require.NotEmpty(t, listener.errors, "%q for %q", lie.said, lie.truth)
		shortest, steps := "", 1000
		for _, text := range listener.errors {
			_, text, _ = strings.Cut(text, "\n") // from the script on
			text, _, _ = strings.Cut(text, "(saved")
			script, err := resptest.Parse(text)
			require.NoError(t, err)
			if len(script) < steps {
				shortest, steps = text, len(script)
			}
		}
		require.LessOrEqual(t, steps, lie.steps, shortest)
		script, err := resptest.Parse(shortest)
		require.NoError(t, err)
		again := &notes{TB: t}
		require.Equal(t, steps, resptest.Replay(again, redis, liar, "again", script))
		require.Len(t, again.errors, 1)
		require.Equal(t, steps, resptest.Replay(t, redis, other, "truth", script))
		t.Logf("%d differences, the shortest:\n%s", len(listener.errors), shortest)
	}
}

// notes keeps errors, where a test would fail.
type notes struct {
	testing.TB
	errors []string
}

func (n *notes) Errorf(format string, args ...any) {
	n.errors = append(n.errors, fmt.Sprintf(format, args...))
}

// wire returns a peer that says one thing for another, of the same length, wherever it does not fall between two reads.
func wire(t *testing.T, p *resptest.Peer, truth, said string) *resptest.Peer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	pump := func(to, from net.Conn, change bool) {
		defer to.Close()
		buf := make([]byte, 64<<10)
		for {
			n, err := from.Read(buf)
			b := buf[:n]
			if change {
				b = bytes.ReplaceAll(b, []byte(truth), []byte(said))
			}
			if _, failed := to.Write(b); err != nil || failed != nil {
				return
			}
		}
	}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", p.Addr())
			if err != nil {
				client.Close()
				return
			}
			go pump(server, client, false)
			go pump(client, server, true)
		}
	}()
	return resptest.At("tcp", l.Addr().String())
}

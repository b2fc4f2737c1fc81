package resptest_test

import (
	"bytes"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/resptest"
)

// TestTwoOfAKind compares two servers of Redis with each other: any difference is a bug of the comparison.
func TestTwoOfAKind(t *testing.T) {
	a, b := resptest.Redis(t), resptest.Redis(t)
	report := resptest.Differ(t, a, b, 1, 6000)
	t.Log(report)
	require.Positive(t, report.Fed, "no client was blocked and fed")
	for _, name := range resptest.Names() {
		require.NotZero(t, report.ByName[name].Replies, "no script has %s", name)
	}
}

// TestLieIsFound compares a server of Redis with one whose replies a proxy changes. Differ must find the change, and shrink it to a short script
// that shows it again.
func TestLieIsFound(t *testing.T) {
	redis, other := resptest.Redis(t), resptest.Redis(t)
	for _, lie := range []struct {
		truth, changed string
		seed           uint64
		steps          int // the most steps of the shrunk script
	}{
		{"skiplist", "listpack", 9, 3},
		{"\r\n-inf\r\n", "\r\n+inf\r\n", 16, 2},
	} {
		liar := proxy(t, other, lie.truth, lie.changed)
		listener := &notes{TB: t}
		resptest.Differ(listener, redis, liar, lie.seed, 800)
		require.NotEmpty(t, listener.errors, "%q for %q", lie.changed, lie.truth)
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

// notes is a testing.TB that records errors instead of failing.
type notes struct {
	testing.TB
	errors []string
}

func (n *notes) Errorf(format string, args ...any) {
	n.errors = append(n.errors, fmt.Sprintf(format, args...))
}

// proxy returns a peer that replaces truth by changed, a text of the same length, in the replies of p. It misses a text that two reads split.
func proxy(t *testing.T, p *resptest.Peer, truth, changed string) *resptest.Peer {
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
				b = bytes.ReplaceAll(b, []byte(truth), []byte(changed))
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

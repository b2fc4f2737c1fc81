package zsetcmd

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/keycmd"
	"github.com/zrankdb/zrank/server/resp/internal/plaincmd"
	"github.com/zrankdb/zrank/server/resp/internal/sessiontest"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// desk is a client that knows the commands on sorted sets, keys and plain values.
type desk struct {
	sessiontest.Desk
	t       testing.TB
	abandon context.CancelFunc
}

// newDesk returns a client of an engine in memory.
func newDesk(t testing.TB, o sessiontest.Options) desk {
	t.Helper()
	return newDeskOf(t, engine.Options{}, o)
}

// newDeskOf returns a client of an engine with options.
func newDeskOf(t testing.TB, eo engine.Options, o sessiontest.Options) desk {
	t.Helper()
	e, err := engine.New(eo)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	h, abandon := sessiontest.NewHost(t, e, o, Commands, keycmd.Commands, plaincmd.Strings, plaincmd.Sets)
	return desk{sessiontest.New(t, h), t, abandon}
}

// another returns another client of the same host.
func (d desk) another(t testing.TB) desk { return desk{sessiontest.New(t, d.Host), t, d.abandon} }

// ask runs a command and returns its reply. Its words are separated by blanks.
func (d desk) ask(line string) string { return d.Ask(line) }

// taken returns the replies that have not been taken yet.
func (d desk) taken() string { return d.Taken() }

// TestSortedSetReplies runs the commands of a recording in both protocols, and compares the replies with those of Redis, byte for byte.
func TestSortedSetReplies(t *testing.T) {
	text, err := os.ReadFile("../../testdata/sorted-sets-7.0.15.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for _, protocol := range []int{2, 3} {
		d := newDesk(t, sessiontest.Options{Scores: wire.Redis70})
		d.Out.Protocol = protocol
		replies, recorded := 0, map[string]bool{}
		for i, line := range lines {
			if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "#") {
				continue
			}
			want := lines[i+1]
			if protocol == 3 && i+2 < len(lines) && strings.HasPrefix(lines[i+2], "\t") {
				want = lines[i+2]
			}
			want, err := strconv.Unquote(strings.TrimSpace(want))
			require.NoError(t, err, line)
			require.Equal(t, strings.ReplaceAll(want, "\n", "\r\n"), d.ask(line), "line %d, RESP%d: %s", i+1, protocol, line)
			replies++
			recorded[strings.ToLower(strings.Fields(line)[0])] = true
		}
		for _, m := range Commands {
			require.True(t, recorded[m.Name], "no row has %s", m.Name)
		}
		t.Logf("RESP%d: %d replies", protocol, replies)
	}
}

// TestRankWithScore tests WITHSCORE of ZRANK and the score text of Redis 7.2, which is the default.
func TestRankWithScore(t *testing.T) {
	d := newDesk(t, sessiontest.Options{})
	for _, row := range []struct{ line, resp2, resp3 string }{
		{"ZADD k 0.1 a 2 b 1e21 c", ":3\r\n", ":0\r\n"},
		{"ZRANK k b WITHSCORE", "*2\r\n:1\r\n$1\r\n2\r\n", "*2\r\n:1\r\n,2\r\n"},
		{"ZREVRANK k a WITHSCORE", "*2\r\n:2\r\n$3\r\n0.1\r\n", "*2\r\n:2\r\n,0.1\r\n"},
		{"ZRANK k nope WITHSCORE", "*-1\r\n", "_\r\n"},
		{"ZRANK nokey a WITHSCORE", "*-1\r\n", "_\r\n"},
		{"ZRANK k a WITHSCORES", "-ERR syntax error\r\n", "-ERR syntax error\r\n"},
		{"ZRANK k a WITHSCORE x", "-ERR wrong number of arguments for 'zrank' command\r\n", "-ERR wrong number of arguments for 'zrank' command\r\n"},
		{"ZSCORE k c", "$5\r\n1e+21\r\n", ",1e+21\r\n"},
		{"ZUNION 2 k k AGGREGATE COUNT WITHSCORES", "*6\r\n$1\r\na\r\n$1\r\n2\r\n$1\r\nb\r\n$1\r\n2\r\n$1\r\nc\r\n$1\r\n2\r\n",
			"*3\r\n*2\r\n$1\r\na\r\n,2\r\n*2\r\n$1\r\nb\r\n,2\r\n*2\r\n$1\r\nc\r\n,2\r\n"},
	} {
		d.Out.Protocol = 2
		require.Equal(t, row.resp2, d.ask(row.line), row.line)
		d.Out.Protocol = 3
		require.Equal(t, row.resp3, d.ask(row.line), row.line)
	}
}

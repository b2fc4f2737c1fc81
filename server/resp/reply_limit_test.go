package resp

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/dispatch"
)

const tooLarge = "reply is larger than the limit of 20000 bytes\r\n"

// withThousand serves a set of 1000 members, which does not fit into one reply.
func withThousand(t *testing.T) *peer {
	p := startServer(t, engine.Options{}, Options{MaxReply: 20_000})
	words := []string{"ZADD", "k"}
	for i := range 1000 {
		words = append(words, strconv.Itoa(i), "member:"+strings.Repeat("x", 20)+strconv.Itoa(i))
	}
	require.Equal(t, ":1000\r\n", p.do(words...))
	return p
}

// TestLargeReplyUndoes: a command whose reply is too large changes nothing. The commands before and after it in the pipeline are executed.
func TestLargeReplyUndoes(t *testing.T) {
	p := withThousand(t)
	p.raw([]byte("ZADD k 1 a\r\nZPOPMIN k 900\r\nZADD k 2 b\r\nZRANGE k 0 -1\r\nZCARD k\r\n"))
	for _, want := range []string{":1\r\n", "-ERR " + tooLarge, ":1\r\n", "-ERR " + tooLarge, ":1002\r\n"} {
		require.Equal(t, want, p.reply())
	}
	require.Equal(t, 8, strings.Count(p.do("ZRANGE", "k", "0", "9"), "member:"), "and a and b")
}

// TestLargeReplyOfExec: the reply of EXEC is one reply. If it is too large, all commands of the transaction are undone.
func TestLargeReplyOfExec(t *testing.T) {
	p := withThousand(t)
	require.Equal(t, "+OK\r\n", p.do("MULTI"))
	require.Equal(t, "+QUEUED\r\n", p.do("ZADD", "k", "1", "a"))
	for range 3 {
		require.Equal(t, "+QUEUED\r\n", p.do("ZRANGE", "k", "0", "249"))
	}
	require.Equal(t, "-EXECABORT Transaction discarded because of: "+tooLarge, p.do("EXEC"))
	require.Equal(t, ":1000\r\n", p.do("ZCARD", "k"))
	require.Equal(t, 250, strings.Count(p.do("ZRANGE", "k", "0", "249"), "member:"))
}

// TestLargeReplies: large replies that each fit are sent as soon as they are written, not at the end of the pipeline.
func TestLargeReplies(t *testing.T) {
	p := withThousand(t)
	const replies = 60
	go p.raw([]byte(strings.Repeat("ZRANGE k 0 399\r\n", replies)))
	for range replies {
		require.Equal(t, 400, strings.Count(p.reply(), "member:"))
	}
	require.LessOrEqual(t, p.s.host.Budget.Used(), int64(2*dispatch.FlushAt))
}

// TestQueueOfTheBudget: the budget counts commands between MULTI and EXEC until the transaction ends, in whatever way.
func TestQueueOfTheBudget(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{MaxRequest: 100_000})
	for _, end := range []string{"EXEC", "DISCARD", "RESET"} {
		require.Equal(t, "+OK\r\n", p.do("MULTI"))
		for range 9 {
			require.Equal(t, "+QUEUED\r\n", p.do("SET", "s", strings.Repeat("x", 10_000)))
		}
		require.Greater(t, p.s.host.Budget.Used(), int64(90_000))
		require.Contains(t, p.do("SET", "s", strings.Repeat("x", 10_000)), "-ERR transaction is larger than the limit")
		p.do(end)
		require.LessOrEqual(t, p.s.host.Budget.Used(), int64(2*dispatch.FlushAt))
	}
	c := p.another()
	require.Equal(t, "+OK\r\n", c.do("MULTI"))
	require.Equal(t, "+QUEUED\r\n", c.do("SET", "s", strings.Repeat("x", 90_000)))
	require.NoError(t, c.conn.Close())
	for clients(p.s) > 1 {
		p.do("PING")
	}
	require.LessOrEqual(t, p.s.host.Budget.Used(), int64(2*dispatch.FlushAt))
}

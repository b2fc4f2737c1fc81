package resp

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// TestRefusedBeforeWork: a reply that is too large by the number of its items alone is refused before any item is written. So no reply needs a
// second block of memory.
func TestRefusedBeforeWork(t *testing.T) {
	const limit = 5000
	p := startServer(t, engine.Options{}, Options{MaxReply: limit})
	fill(t, p.s, "z", 1000, 20)
	want := fmt.Sprintf("-ERR reply is larger than the limit of %d bytes\r\n", limit)
	before := p.s.host.Budget.Stats().Peak
	for _, protocol := range []string{"2", "3"} {
		p.do("HELLO", protocol)
		for _, line := range []string{
			"ZRANDMEMBER z -100000000", "ZRANDMEMBER z -100000000 WITHSCORES", "ZRANDMEMBER z -834",
			"ZRANDMEMBER z " + strconv.Itoa(math.MinInt+1), "ZRANDMEMBER z " + strconv.Itoa(-math.MaxInt/2) + " WITHSCORES",
			"ZRANDMEMBER z 100000000", "ZRANGE z 0 -1", "ZRANGE z 0 -1 REV WITHSCORES", "ZRANGEBYSCORE z -inf +inf", "ZREVRANGE z 0 -1",
			"ZPOPMIN z 100000000", "ZPOPMAX z 1000", "ZMPOP 1 z MIN COUNT 1000000", "BZMPOP 0 1 z MAX COUNT 1000000", "ZUNION 1 z", "ZUNION 2 z nothing WITHSCORES",
		} {
			require.Equal(t, want, p.line(line), line)
			require.Equal(t, ":1000\r\n", p.line("ZCARD z"), line)
		}
	}
	require.Less(t, p.s.host.Budget.Stats().Peak-before, int64(budget.BlockBytes), "no reply had a second block")
	require.Equal(t, 100, strings.Count(p.line("ZRANDMEMBER z -100"), "member:"))
}

// TestBorrowed: the budget counts the memory that a command holds beside its reply, until the command ends.
func TestBorrowed(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{ClientMemory: LeastClientMemory})
	fill(t, p.s, "z", 1300, 20)
	require.Equal(t, "+PONG\r\n", p.line("PING")) // now the account counts the memory of the request reader
	used := p.s.host.Budget.Used()
	for _, line := range []string{"ZRANDMEMBER z 1290", "ZSCAN z 0 COUNT 10000", "ZUNION 1 z", "ZDIFF 1 z", "ZINTER 2 z z"} {
		require.Equal(t, "-"+string(session.ErrNoMemory)+"\r\n", p.line(line), line)
		require.Equal(t, "+OK\r\n", p.line("MULTI"))
		require.Equal(t, "+QUEUED\r\n", p.line(line))
		require.Contains(t, p.line("EXEC"), string(session.ErrNoMemory), line)
		until(t, "the command's memory beside its reply is given back", func() bool { return p.s.host.Budget.Used()-used < 1000 })
	}
	require.Equal(t, ":1300\r\n", p.line("ZINTERCARD 2 z z"))
	require.Equal(t, 200, strings.Count(p.line("ZRANDMEMBER z 200"), "member:"))
}

// TestTooManyKeys: a command or transaction with more than engine.MaxKeys different keys is refused. A key that is named many times counts
// once.
func TestTooManyKeys(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	many, same := []string{"EXISTS"}, []string{"EXISTS"}
	for i := range engine.MaxKeys + 1 {
		many, same = append(many, "k"+strconv.Itoa(i)), append(same, "k")
	}
	require.Contains(t, p.do(many...), "-ERR engine: ")
	require.Equal(t, ":0\r\n", p.do(same...))
	require.Equal(t, "+OK\r\n", p.line("MULTI"))
	for range 5 {
		require.Equal(t, "+QUEUED\r\n", p.do(same...))
	}
	require.Equal(t, "*5\r\n"+strings.Repeat(":0\r\n", 5), p.line("EXEC"))
	require.Equal(t, "+OK\r\n", p.line("MULTI"))
	for range 5 {
		require.Equal(t, "+QUEUED\r\n", p.do(many[:engine.MaxKeys]...))
	}
	require.Equal(t, "*5\r\n"+strings.Repeat(":0\r\n", 5), p.line("EXEC"))
	require.Equal(t, "+OK\r\n", p.line("MULTI"))
	for i := range 5 {
		words := []string{"EXISTS"}
		for j := range engine.MaxKeys {
			words = append(words, fmt.Sprint(i, j))
		}
		require.Equal(t, "+QUEUED\r\n", p.do(words...))
	}
	require.Contains(t, p.line("EXEC"), "-EXECABORT")
}

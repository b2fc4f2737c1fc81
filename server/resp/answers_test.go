package resp

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/clientcmd"
	"github.com/zrankdb/zrank/server/resp/internal/conn"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// TestEveryRequestIsAnswered sends 300 requests that are refused or queued in one write. Together their replies exceed MaxReply, which
// bounds a single reply; the server answers each request.
func TestEveryRequestIsAnswered(t *testing.T) {
	for _, row := range []struct{ first, request, reply, last string }{
		{"PING", "x", "unknown command", "PING"},
		{"PING", "GET", "wrong number", "PING"},
		{"MULTI", "PING", "QUEUED", "DISCARD"},
		{"MULTI", "SAVE", "not allowed inside", "DISCARD"},
	} {
		inBubble(t, Options{MaxReply: 1000}, func(t *testing.T, s *Server) {
			client := connect(s)
			received := make(chan string)
			go func() {
				b, _ := io.ReadAll(client)
				received <- string(b)
			}()
			const n = 300
			_, err := client.Write([]byte(row.first + "\r\n" + strings.Repeat(row.request+"\r\n", n) + row.last + "\r\nQUIT\r\n"))
			require.NoError(t, err)
			text := <-received
			require.Equal(t, n, strings.Count(text, row.reply))
			require.Equal(t, n+3, strings.Count(text, "\n"))
		})
	}
}

// TestIdleClientsHoldNothing: an idle client does not keep the memory of its last request.
func TestIdleClientsHoldNothing(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		words := []string{"EXISTS"}
		for i := range 20_000 {
			words = append(words, fmt.Sprintf("%0400d", i))
		}
		request := encode(words)
		words = nil
		before := heap()
		for range 3 {
			client := connect(s)
			_, err := client.Write(request)
			require.NoError(t, err)
			_, err = io.ReadFull(client, make([]byte, len(":0\r\n")))
			require.NoError(t, err)
			defer client.Close()
		}
		synctest.Wait()
		held := heap() - before
		require.Less(t, held, int64(4<<20))
		runtime.KeepAlive(request)
		t.Logf("%d bytes held after 3 requests of %d", held, len(request))
	})
}

// TestLongNames: the length of a client's name is limited, because the server holds the name as long as the client is connected.
func TestLongNames(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	long := strings.Repeat("n", clientcmd.LongestName)
	for _, words := range [][]string{{"CLIENT", "SETNAME"}, {"CLIENT", "SETINFO", "LIB-NAME"}, {"CLIENT", "SETINFO", "LIB-VER"},
		{"HELLO", "2", "SETNAME"}} {
		require.NotEqual(t, byte('-'), p.do(append(words, long)...)[0])
		require.Equal(t, "-"+string(clientcmd.ErrLongName)+"\r\n", p.do(append(words, long+"n")...))
	}
}

// TestKillOneThatWaits: CLIENT KILL ends a waiting client, and so does the client itself by sending more than ReadAhead while it waits.
func TestKillOneThatWaits(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		waits, ahead, asks := connect(s), connect(s), connect(s)
		for _, conn := range []net.Conn{waits, ahead} {
			_, err := conn.Write([]byte("BZPOPMIN k 0\r\n"))
			require.NoError(t, err)
		}
		synctest.Wait()
		require.True(t, waiting(s.host.Clients.Get(1)))
		require.True(t, waiting(s.host.Clients.Get(2)))
		go func() { _, _ = ahead.Write([]byte(strings.Repeat("PING\r\n", conn.ReadAhead/3))) }()
		synctest.Wait()
		require.Nil(t, s.host.Clients.Get(2), "it has sent too much")
		_, err := asks.Write([]byte("CLIENT KILL ID 1\r\n"))
		require.NoError(t, err)
		_, err = io.ReadFull(asks, make([]byte, len(":1\r\n")))
		require.NoError(t, err)
		synctest.Wait()
		require.Equal(t, 1, clients(s))
		require.Zero(t, s.e.Waiting())
		require.NoError(t, asks.Close())
	})
}

func waiting(c *session.Client) bool { return c.Info().Waits }

// TestPoppedIsSaid: an entry that was popped for a waiting client exists only in its reply, so MaxReply does not apply to that reply.
func TestPoppedIsSaid(t *testing.T) {
	inBubble(t, Options{MaxReply: 2000}, func(t *testing.T, s *Server) {
		dial := dialer(t, s)
		waits, feeds := dial(), dial()
		waits.send("BZMPOP", "0", "1", "k", "MIN", "COUNT", "1000")
		synctest.Wait()
		words := []string{"ZADD", "k"}
		for i := range 300 {
			words = append(words, "1", fmt.Sprintf("member%d", i))
		}
		require.Equal(t, ":300\r\n", feeds.do(words...))
		require.Equal(t, 300, strings.Count(waits.reply(), "member"))
		require.Equal(t, "+PONG\r\n", waits.do("PING"))
		require.Equal(t, ":0\r\n", feeds.do("ZCARD", "k"))
		_, _ = waits.conn.Close(), feeds.conn.Close()
	})
}

// TestAnsweredBeforeWaiting: the server sends earlier replies before a client waits, and holds no memory of the client after it has gone.
func TestAnsweredBeforeWaiting(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		p := dialer(t, s)()
		p.raw([]byte("PING\r\nBZPOPMIN a b 0\r\n"))
		require.Equal(t, "+PONG\r\n", p.reply())
		synctest.Wait()
		require.True(t, waiting(s.host.Clients.Get(1)))
		require.EqualValues(t, 2, s.host.Waited.Len())
		require.NoError(t, p.conn.Close())
		synctest.Wait()
		require.Zero(t, clients(s))
		require.Zero(t, s.host.Waited.Len())
	})
}

// TestWatchBigStore: WATCH notices a large result that is stored under an empty key and deleted again.
func TestWatchBigStore(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	p.s.host.DeferAbove = 2
	other := p.another()
	other.line("ZADD src 1 a 2 b 3 c")
	for _, store := range []string{"ZUNIONSTORE dst 1 src", "ZRANGESTORE dst src 0 -1"} {
		p.line("WATCH dst")
		require.Equal(t, ":3\r\n", other.line(store))
		require.Equal(t, ":1\r\n", other.line("DEL dst"))
		p.line("MULTI")
		p.line("PING")
		require.Equal(t, "*-1\r\n", p.line("EXEC"), store)
	}
}

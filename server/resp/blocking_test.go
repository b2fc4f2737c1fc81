package resp

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// dialer returns a function that connects a new client to a server in a bubble.
func dialer(t testing.TB, s *Server) func() *peer {
	return func() *peer {
		conn := connect(s)
		t.Cleanup(func() { _ = conn.Close() })
		return &peer{t: t, s: s, conn: conn, in: bufio.NewReader(conn)}
	}
}

// waiters returns connections that have sent a command that waits, one after the other.
func waiters(dial func() *peer, n int, words ...string) (line []*peer) {
	for range n {
		p := dial()
		p.send(words...)
		synctest.Wait()
		line = append(line, p)
	}
	return line
}

// popReply returns the reply of BZPOPMIN in RESP2, for a key and a member of one letter.
func popReply(key, member, score string) string {
	return fmt.Sprintf("*3\r\n$1\r\n%s\r\n$1\r\n%s\r\n$%d\r\n%s\r\n", key, member, len(score), score)
}

// TestWaitingEndsInTime: timeouts are exact to the millisecond, rounded up. Timeout 0 waits for ever.
func TestWaitingEndsInTime(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		dial := dialer(t, s)
		for timeout, want := range map[string]time.Duration{
			"0.001": time.Millisecond, "0.0001": time.Millisecond, "1.5": 1500 * time.Millisecond, "25": 25 * time.Second,
			"0x1p-4": 63 * time.Millisecond,
		} {
			began := time.Now()
			require.Equal(t, "*-1\r\n", dial().line("BZPOPMIN nobody home "+timeout))
			require.Equal(t, want, time.Since(began), timeout)
			began = time.Now()
			require.Equal(t, "*-1\r\n", dial().line("BZMPOP "+timeout+" 2 nobody home MAX"))
			require.Equal(t, want, time.Since(began), timeout)
		}
		forEver := dial()
		forEver.send("BZPOPMIN", "k", "0")
		time.Sleep(1000 * time.Hour)
		require.Equal(t, ":1\r\n", dial().line("ZADD k 1 m"))
		require.Equal(t, popReply("k", "m", "1"), forEver.reply())
	})
}

// TestWaitingInLine: waiting clients are served first come, first served. A client that leaves the queue gets nothing, and the next ones move
// up.
func TestWaitingInLine(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		dial := dialer(t, s)
		line := waiters(dial, 6, "BZPOPMIN", "k", "0")
		require.Equal(t, 6, s.e.Waiting())
		feeder := dial()
		require.NoError(t, line[0].conn.Close()) // goes away
		require.Equal(t, ":1\r\n", feeder.do("CLIENT", "UNBLOCK", fmt.Sprint(s.idOf(t, 2)), "TIMEOUT"))
		require.Equal(t, "*-1\r\n", line[1].reply())
		require.Equal(t, ":0\r\n", feeder.do("CLIENT", "UNBLOCK", fmt.Sprint(s.idOf(t, 2))), "it does not wait any more")
		require.Equal(t, ":1\r\n", feeder.do("CLIENT", "UNBLOCK", fmt.Sprint(s.idOf(t, 3)), "ERROR"))
		require.Equal(t, "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n", line[2].reply())
		require.Equal(t, ":1\r\n", feeder.do("CLIENT", "KILL", "ID", fmt.Sprint(s.idOf(t, 4))))
		synctest.Wait()
		require.Equal(t, 2, s.e.Waiting())
		require.Equal(t, ":4\r\n", feeder.line("ZADD k 1 a 2 b 3 c 4 d"))
		require.Equal(t, popReply("k", "a", "1"), line[4].reply())
		require.Equal(t, popReply("k", "b", "2"), line[5].reply())
		require.Equal(t, "*2\r\n$1\r\nc\r\n$1\r\nd\r\n", feeder.line("ZRANGE k 0 -1"), "nothing was popped for the others")
		_, err := line[3].in.ReadByte()
		require.ErrorIs(t, err, io.EOF)
		require.Equal(t, "+PONG\r\n", line[1].line("PING"))
		require.Equal(t, "+PONG\r\n", line[2].line("PING"))
	})
}

// idOf returns the number of the n-th client of a test.
func (s *Server) idOf(t *testing.T, n int64) int64 {
	require.NotNil(t, s.host.Clients.Get(n))
	return n
}

// TestWaitingReadsOn: requests that a client sends while it waits are executed after the wait. A client that disconnects while it waits
// leaves the queue, and its further requests are dropped.
func TestWaitingReadsOn(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		dial := dialer(t, s)
		feeder := dial()
		stays := dial()
		const pings = 20_000 // 14 bytes each
		go stays.raw([]byte("BZPOPMIN k 0\r\n" + strings.Repeat("*1\r\n$4\r\nPING\r\n", pings)))
		synctest.Wait()
		require.Equal(t, 1, s.e.Waiting())
		require.Equal(t, ":1\r\n", feeder.line("ZADD k 1 m"))
		require.Equal(t, popReply("k", "m", "1"), stays.reply())
		for range pings {
			require.Equal(t, "+PONG\r\n", stays.reply())
		}
		goes := dial()
		goes.raw([]byte("BZPOPMIN k 0\r\nZADD k 1 never\r\n*3\r\n$4"))
		synctest.Wait()
		require.NoError(t, goes.conn.Close())
		synctest.Wait()
		require.Equal(t, 0, s.e.Waiting())
		require.Equal(t, ":0\r\n", feeder.line("EXISTS k"), "the requests of a disconnected client are not executed")
	})
}

// TestWaitingAndIdleness: Options.IdleTimeout and SlowTimeout do not apply while a client waits, and apply again after the wait.
func TestWaitingAndIdleness(t *testing.T) {
	inBubble(t, Options{IdleTimeout: time.Second, SlowTimeout: time.Second}, func(t *testing.T, s *Server) {
		dial := dialer(t, s)
		p := dial()
		p.raw([]byte("BZPOPMIN k 25\r\n*1\r\n$4\r\nPI"))
		require.Equal(t, "*-1\r\n", p.reply())
		p.raw([]byte("NG\r\n"))
		require.Equal(t, "+PONG\r\n", p.reply())
		_, err := p.in.ReadByte()
		require.ErrorIs(t, err, io.EOF)
		synctest.Wait()
		require.Empty(t, s.host.Clients.All())
	})
}

// TestFedTogether shows a difference to Redis. If one EXEC feeds several keys, a client that waits for more than one of them gets the first in
// its own order. Redis takes the first in the order in which they were fed, so client c would get nothing.
func TestFedTogether(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		dial := dialer(t, s)
		a, b, c := dial(), dial(), dial()
		b.send("BZPOPMIN", "x", "y", "0")
		synctest.Wait()
		c.send("BZPOPMIN", "y", "0")
		synctest.Wait()
		a.line("MULTI")
		a.line("ZADD y 1 m")
		a.line("ZADD x 2 n")
		require.Equal(t, "*2\r\n:1\r\n:1\r\n", a.line("EXEC"))
		require.Equal(t, popReply("x", "n", "2"), b.reply())
		require.Equal(t, popReply("y", "m", "1"), c.reply())
	})
}

// TestWaitingInts: if a key becomes a set with int64 scores while a client waits for it, the client gets an error, and the set stays.
func TestWaitingInts(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		dial := dialer(t, s)
		p := dial()
		p.send("BZPOPMIN", "k", "0")
		synctest.Wait()
		require.NoError(t, s.e.Update(t.Context(), func(tx *engine.Tx) error {
			set, err := tx.IntSet("k", engine.Form{})
			if err == nil {
				_, err = set.Add([]byte("m"), 1)
			}
			return err
		}, "k"))
		require.Equal(t, "-"+string(command.ErrReadOnly)+"\r\n", p.reply())
		require.Equal(t, "-"+string(command.ErrReadOnly)+"\r\n", p.line("BZPOPMIN other k 0"))
		require.Equal(t, ":1\r\n", p.line("ZCARD k"))
	})
}

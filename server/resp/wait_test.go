package resp

import (
	"fmt"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWaitForReplicas: WAIT for a replica takes exactly its timeout. With timeout 0 only CLIENT UNBLOCK ends it. Other clients are served
// meanwhile.
func TestWaitForReplicas(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		dial := dialer(t, s)
		p, other := dial(), dial()
		began := time.Now()
		require.Equal(t, ":0\r\n", p.line("WAIT 1 1500"))
		require.Equal(t, 1500*time.Millisecond, time.Since(began))
		require.Equal(t, ":0\r\n", p.line("WAIT 0 1500"))
		require.Equal(t, 1500*time.Millisecond, time.Since(began), "WAIT for 0 replicas does not wait")
		for _, timeout := range []string{"0", "9223372036854775807"} {
			require.Equal(t, ":1\r\n", p.line("ZADD k 1 m"+timeout))
			p.raw([]byte("WAIT 3 " + timeout + "\r\nPING\r\n"))
			time.Sleep(1000 * time.Hour)
			synctest.Wait()
			require.Contains(t, other.line("INFO clients"), "blocked_clients:1\r\n")
			require.Contains(t, other.line("CLIENT LIST ID 1"), " flags=b ")
			require.Equal(t, ":1\r\n", other.line("ZADD k 1 n"+timeout), "it holds no lock")
			require.Equal(t, "+OK\r\n", other.line("FLUSHALL"))
			require.Equal(t, ":1\r\n", other.line("CLIENT UNBLOCK 1"))
			require.Equal(t, ":0\r\n", p.reply())
			require.Equal(t, "+PONG\r\n", p.reply())
			require.Contains(t, other.line("INFO clients"), "blocked_clients:0\r\n")
			require.Equal(t, ":0\r\n", other.line("CLIENT UNBLOCK 1"))
		}
		p.send("WAIT", "1", "0")
		synctest.Wait()
		require.Equal(t, ":1\r\n", other.line("CLIENT UNBLOCK 1 ERROR"))
		require.Equal(t, "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n", p.reply())
		require.Equal(t, "*2\r\n:0\r\n+PONG\r\n", p.lines(2, "MULTI", "WAIT 1 0", "PING", "EXEC"), "nothing blocks there")
	})
}

// TestWaitForReplicasEnds: WAIT ends by CLIENT KILL, when the client disconnects, and when the server closes.
func TestWaitForReplicasEnds(t *testing.T) {
	inBubble(t, Options{IdleTimeout: time.Second}, func(t *testing.T, s *Server) {
		dial := dialer(t, s)
		waits := waiters(dial, 3, "WAIT", "1", "0")
		time.Sleep(time.Hour) // waiting is not idleness
		synctest.Wait()
		require.Contains(t, dial().line("INFO clients"), "blocked_clients:3\r\n")
		require.Equal(t, ":1\r\n", dial().do("CLIENT", "KILL", "ID", fmt.Sprint(s.idOf(t, 1))))
		_, err := waits[0].in.ReadByte()
		require.ErrorIs(t, err, io.EOF)
		require.NoError(t, waits[1].conn.Close())
		synctest.Wait()
		require.Contains(t, dial().line("INFO clients"), "blocked_clients:1\r\n")
		var received []byte
		var read sync.WaitGroup
		read.Go(func() { received, _ = io.ReadAll(waits[2].in) })
		require.NoError(t, s.Close())
		read.Wait()
		require.Equal(t, "-UNBLOCKED the server is closing\r\n", string(received))
	})
}

package resp

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/dispatch"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// TestCloseEndsAll closes a server whose clients do nothing, wait for members, are in the middle of a request or of a transaction, or
// have sent a long pipeline. Clients that read get all replies. A client that does not read delays Close by CloseGrace at most.
func TestCloseEndsAll(t *testing.T) {
	for _, reads := range []bool{true, false} {
		inBubble(t, Options{}, func(t *testing.T, s *Server) {
			dial := dialer(t, s)
			idle, waits, half, multi, slow := dial(), dial(), dial(), dial(), dial()
			waits.raw([]byte("BZPOPMIN k 0\r\nPING\r\nBZPOPMIN k 5\r\n"))
			half.raw([]byte("PING\r\n*3\r\n$4\r\nZADD\r\n$1"))
			multi.raw([]byte("MULTI\r\nZADD never 1 m\r\n"))
			go slow.raw([]byte(strings.Repeat("ECHO "+strings.Repeat("x", 1000)+"\r\n", 1000)))
			synctest.Wait()
			received := map[*peer]string{}
			var all sync.WaitGroup
			var mu sync.Mutex
			for _, p := range []*peer{idle, waits, half, multi, slow} {
				if p == slow && !reads {
					continue
				}
				all.Go(func() {
					text, err := io.ReadAll(p.in)
					mu.Lock()
					defer mu.Unlock()
					received[p] = string(text)
					if err != nil {
						t.Error(err)
					}
				})
			}
			began := time.Now()
			require.NoError(t, s.Close())
			if took := time.Since(began); reads {
				require.Zero(t, took)
			} else {
				require.LessOrEqual(t, took, dispatch.CloseGrace)
			}
			all.Wait()
			unblocked := "-" + string(session.ErrClosing) + "\r\n"
			require.Empty(t, received[idle])
			require.Equal(t, unblocked+"+PONG\r\n"+unblocked, received[waits])
			require.Equal(t, "+PONG\r\n", received[half])
			require.Equal(t, "+OK\r\n+QUEUED\r\n", received[multi])
			if reads {
				require.Len(t, received[slow], 1000*len("$1000\r\n\r\n")+1000*1000, "requests that had been read are executed and answered")
			}
			n, err := s.e.Exists(t.Context(), "never")
			require.NoError(t, err)
			require.Zero(t, n)
			require.Empty(t, s.host.Clients.All())
			require.Zero(t, s.e.Waiting())
			require.Error(t, s.host.Work.Err())
			require.NoError(t, s.Close(), "once more")
		})
	}
}

const writers, writtenKeys = 4, 300 // of TestCloseLosesNothing

// write sends writes without waiting for replies, one in ten of them a transaction, until the connection ends.
func (p *peer) write(n int) {
	for i := range 3000 {
		line := fmt.Sprintf("ZADD k%d %d m%d-%d\r\n", i%writtenKeys, i, n, i)
		if i%10 == 9 {
			line = "MULTI\r\n" + line + "EXEC\r\n"
		}
		if _, err := p.conn.Write([]byte(line)); err != nil {
			return
		}
	}
}

// acknowledged counts the writes that are answered, until the connection ends. It calls some after the first ones.
func (p *peer) acknowledged(some func()) (n int) {
	for {
		reply, err := readReply(p.in)
		if err != nil {
			return n
		}
		if reply == ":1\r\n" || reply == "*1\r\n:1\r\n" {
			if n++; n == 20 {
				some()
			}
		}
	}
}

// TestCloseLosesNothing closes a server while clients write as fast as they can, and then its engine. The reopened engine has every
// acknowledged write.
func TestCloseLosesNothing(t *testing.T) {
	for _, durability := range []engine.Durability{engine.Sync, engine.Interval, engine.None} {
		dir := t.TempDir()
		e, err := engine.Open(dir, engine.Options{Durability: durability})
		require.NoError(t, err)
		s, err := New(t.Context(), e, Options{})
		require.NoError(t, err)
		addr, err := s.Listen("127.0.0.1:0")
		require.NoError(t, err)
		counts := [writers]int{}
		var all, begun sync.WaitGroup
		begun.Add(writers)
		for n := range writers {
			c := (&peer{t: t, s: s, addr: addr.String()}).another()
			go c.write(n)
			all.Go(func() { counts[n] = c.acknowledged(begun.Done) })
		}
		begun.Wait()
		require.NoError(t, s.Close())
		all.Wait()
		require.NoError(t, e.Close())
		e, err = engine.Open(dir, engine.Options{})
		require.NoError(t, err)
		sum := 0
		for n, count := range counts {
			sum += count
			for i := range count {
				checkWritten(t, e, n, i)
			}
		}
		t.Logf("%v: %d writes acknowledged, all there", durability, sum)
		require.NoError(t, e.Close())
	}
}

// checkWritten fails the test if the i-th write of writer n is not stored.
func checkWritten(t *testing.T, e *engine.Engine, n, i int) {
	key := fmt.Sprint("k", i%writtenKeys)
	require.NoError(t, e.View(t.Context(), func(tx *engine.Tx) error {
		set, err := tx.Set(key)
		require.NoError(t, err)
		_, ok := set.Score(fmt.Appendf(nil, "m%d-%d", n, i))
		require.True(t, ok, "writer %d was told of its write %d", n, i)
		return nil
	}, key))
}

// TestCloseInTx: Close inside a closure of the engine returns ErrInTx, even while a client waits for that closure's lock, and the server goes
// on.
func TestCloseInTx(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		p := dialer(t, s)()
		require.NoError(t, s.e.Update(t.Context(), func(*engine.Tx) error {
			p.raw([]byte("ZCARD k\r\n"))
			require.ErrorIs(t, s.Close(), engine.ErrInTx)
			_, err := New(t.Context(), s.e, Options{})
			require.ErrorIs(t, err, engine.ErrInTx)
			return nil
		}, "k"))
		synctest.Wait()
		p.raw([]byte("PING\r\n"))
		text := make([]byte, len(":0\r\n+PONG\r\n"))
		_, err := io.ReadFull(p.in, text)
		require.NoError(t, err)
		require.Equal(t, ":0\r\n+PONG\r\n", string(text))
	})
}

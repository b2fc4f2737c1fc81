package resp

import (
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/dispatch"
)

// gate is a disk whose flushes wait while it is shut.
type gate struct{ shut atomic.Pointer[chan struct{}] }

func (g *gate) String() string { return "gate" }

// MaybeError waits where a flush of a file would begin.
func (g *gate) MaybeError(op errorfs.Op) error {
	if op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData || op.Kind == errorfs.OpFileSyncTo {
		if open := g.shut.Load(); open != nil {
			<-*open
		}
	}
	return nil
}

// TestAnswersAreDurable: while a flush waits, the server sends no reply that depends on it: neither to the writer, nor to a client that reads
// the written value. Replies that depend on durable commits only are sent at once (P2).
func TestAnswersAreDurable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{}
		e, err := engine.Open("z", engine.Options{FS: errorfs.Wrap(memfs.New(), g), StallTimeout: time.Hour})
		require.NoError(t, err)
		s, err := New(t.Context(), e, Options{})
		require.NoError(t, err)
		answers := make(chan string, 10)
		connect := func() net.Conn {
			here, there := net.Pipe()
			s.take(there)
			go func() {
				b := make([]byte, 100)
				for {
					n, err := here.Read(b)
					if err != nil {
						return
					}
					answers <- string(b[:n])
				}
			}()
			return here
		}
		writer, reader := connect(), connect()
		send := func(c net.Conn, text string) {
			_, err := c.Write([]byte(text + "\r\n"))
			require.NoError(t, err)
			synctest.Wait()
		}
		send(writer, "ZADD old 1 a")
		require.Equal(t, ":1\r\n", <-answers)

		open := make(chan struct{})
		g.shut.Store(&open)
		send(writer, "ZADD new 1 a 2 b")
		send(reader, "ZCARD old")
		require.Equal(t, ":1\r\n", <-answers)
		for _, command := range []string{"ZCARD new", "KEYS n*"} {
			c := connect()
			send(c, command)
			require.Empty(t, answers, command)
			defer c.Close()
		}
		g.shut.Store(nil)
		close(open)
		got := map[string]int{}
		for range 3 {
			got[<-answers]++
		}
		require.Equal(t, map[string]int{":2\r\n": 2, "*1\r\n$3\r\nnew\r\n": 1}, got)
		_, _ = writer.Close(), reader.Close()
		require.NoError(t, s.Close())
		require.NoError(t, e.Close())
	})
}

// TestNothingAfterFailure: if a flush stalls, it is not known whether a client's writes are stored. The client gets one error that says so and
// is disconnected. Its later requests are not executed.
func TestNothingAfterFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{}
		e, err := engine.Open("z", engine.Options{FS: errorfs.Wrap(memfs.New(), g), StallTimeout: 10 * time.Second})
		require.NoError(t, err)
		s, err := New(t.Context(), e, Options{})
		require.NoError(t, err)
		p := dialer(t, s)()
		require.Equal(t, ":1\r\n", p.do("ZADD", "big", "1", strings.Repeat("m", dispatch.FlushAt)))
		open := make(chan struct{})
		g.shut.Store(&open)
		p.raw([]byte("ZADD new 1 a\r\nZCARD new\r\nZRANGE big 0 -1\r\nZCARD big\r\nPING\r\n"))
		all, err := io.ReadAll(p.in)
		require.NoError(t, err)
		require.Equal(t, "-"+string(command.Refuse(engine.ErrStalled))+"\r\n", string(all))
		g.shut.Store(nil)
		close(open)
		require.NoError(t, s.Close())
		_ = e.Close() // it has failed
	})
}

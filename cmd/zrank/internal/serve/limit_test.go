package serve

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestClientsOf: the store keeps its files, whatever the doors, and half of a limit that is too low for both; no door has none.
func TestClientsOf(t *testing.T) {
	for _, x := range []struct {
		limit  uint64
		doors  int
		stored bool
		want   int
	}{
		{20_000, 1, true, 19_840}, {20_000, 2, true, 9_920}, {1024, 2, true, 432}, {1024, 2, false, 496}, {64, 1, true, 32}, {64, 2, true, 16},
		{1, 2, true, 1}, {0, 2, true, 1}, {noLimit, 2, true, 1 << 20}, {1024, 0, true, 864},
	} {
		require.Equal(t, x.want, clientsOf(x.limit, x.doors, x.stored), "%+v", x)
	}
}

// TestDoor: a connection beyond the limit gets the text and is closed, and takes nothing from those within it; when one leaves, another comes in. The log has a
// line for the first one that was refused, and then one in ten seconds, with how many there were.
func TestDoor(t *testing.T) {
	var log bytes.Buffer
	now := time.Unix(0, 0)
	d := &door{most: 2, log: slog.New(slog.NewTextHandler(&log, nil)), clock: func() time.Time { now = now.Add(4 * time.Second); return now }}
	raw, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := &limited{raw, d, "-ERR no\r\n"}
	defer l.Close()
	accepted := make(chan net.Conn)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- conn
		}
	}()
	dial := func() net.Conn {
		conn, err := net.Dial("tcp", raw.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	dial()
	first := <-accepted
	dial()
	<-accepted
	for range 4 {
		text, err := io.ReadAll(dial())
		require.NoError(t, err)
		require.Equal(t, "-ERR no\r\n", string(text))
	}
	require.NoError(t, first.Close())
	require.Error(t, first.Close(), "twice counts once")
	dial()
	conn := (<-accepted).(*counted)
	require.NoError(t, conn.CloseWrite())
	_, err = conn.SyscallConn()
	require.NoError(t, err)
	require.Regexp(t, `(?s)refused=1 .*refused=3 `, log.String())
	require.Equal(t, 2, strings.Count(log.String(), "connections refused"))
}

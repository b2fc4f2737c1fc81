//go:build unix

package socket

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// connect returns both ends of a connection.
func connect(t *testing.T, network, address string) (server, client net.Conn) {
	l, err := net.Listen(network, address)
	require.NoError(t, err)
	defer l.Close()
	client, err = net.Dial(network, l.Addr().String())
	require.NoError(t, err)
	server, err = l.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = server.Close(), client.Close() })
	return server, client
}

// each runs a test with a connection of each kind.
func each(t *testing.T, test func(t *testing.T, server, client net.Conn)) {
	for network, address := range map[string]string{"tcp": "127.0.0.1:0", "unix": filepath.Join(t.TempDir(), "s")} {
		t.Run(network, func(t *testing.T) {
			server, client := connect(t, network, address)
			test(t, server, client)
		})
	}
}

// TestReaderReadsAll reads a stream in pieces of many sizes to its end.
func TestReaderReadsAll(t *testing.T) {
	each(t, func(t *testing.T, server, client net.Conn) {
		want := bytes.Repeat([]byte("0123456789abcdef"), 1<<14)
		go func() {
			for from := 0; from < len(want); {
				n := min(1+from%5000, len(want)-from)
				_, _ = client.Write(want[from : from+n]) // the reader would notice
				from += n
			}
			_ = client.Close()
		}()
		got, err := io.ReadAll(NewReader(server))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got))
	})
}

// TestReaderEndsAsTheConnection: a read that waits ends at the deadline, when the other end shuts down its side, and when this end closes.
func TestReaderEndsAsTheConnection(t *testing.T) {
	each(t, func(t *testing.T, server, client net.Conn) {
		r, b := NewReader(server), make([]byte, 10)
		require.NoError(t, server.SetReadDeadline(time.Now().Add(time.Millisecond)))
		_, err := r.Read(b)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.NoError(t, server.SetReadDeadline(time.Time{}))
		_, err = client.Write([]byte("last"))
		require.NoError(t, err)
		require.NoError(t, client.(interface{ CloseWrite() error }).CloseWrite())
		n, err := r.Read(b)
		require.NoError(t, err)
		require.Equal(t, "last", string(b[:n]))
		_, err = r.Read(b)
		require.Equal(t, io.EOF, err)
		require.NoError(t, server.Close())
		_, err = r.Read(b)
		require.ErrorIs(t, err, net.ErrClosed)
	})
}

// TestUnwatchedReads: after a read that waits the next 16 are unwatched, and those after them watched, until one waits again (U1).
func TestUnwatchedReads(t *testing.T) {
	each(t, func(t *testing.T, server, client net.Conn) {
		r, b := NewReader(server).(*Reader), make([]byte, 1)
		for range 2 {
			require.NoError(t, server.SetReadDeadline(time.Now().Add(time.Millisecond)))
			_, err := r.Read(b)
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			require.NoError(t, server.SetReadDeadline(time.Time{}))
			n, err := client.Write(make([]byte, 2*maxUnwatched))
			require.NoError(t, err)
			for i := range n {
				require.Equal(t, max(maxUnwatched-i, 0), r.unwatched)
				_, err := io.ReadFull(r, b)
				require.NoError(t, err)
			}
		}
	})
}

// TestNoAllocations: a read and a write allocate nothing.
func TestNoAllocations(t *testing.T) {
	each(t, func(t *testing.T, server, client net.Conn) {
		r, w, b := NewReader(server), NewWriter(client), make([]byte, 100)
		require.Zero(t, testing.AllocsPerRun(100, func() {
			n, err := w.Write(b)
			if err != nil || n != len(b) {
				t.Fatal(n, err)
			}
			if _, err := io.ReadFull(r, b); err != nil {
				t.Fatal(err)
			}
		}))
	})
}

// TestWriterDoesNotWait: a write returns when the socket is full, and reports a closed connection. It writes nothing of no bytes.
func TestWriterDoesNotWait(t *testing.T) {
	each(t, func(t *testing.T, server, _ net.Conn) {
		w, b := NewWriter(server), make([]byte, 64<<10)
		for n := len(b); n > 0; {
			var err error
			n, err = w.Write(b)
			require.NoError(t, err)
		}
		n, err := w.Write(nil)
		require.NoError(t, err)
		require.Zero(t, n)
		require.NoError(t, server.Close())
		_, err = w.Write(b)
		require.ErrorIs(t, err, net.ErrClosed)
	})
}

// TestWithoutSocket: a connection without a socket is read itself, and has no Writer.
func TestWithoutSocket(t *testing.T) {
	here, there := net.Pipe()
	defer there.Close()
	require.Equal(t, here, NewReader(here))
	require.Nil(t, NewWriter(here))
	require.NoError(t, here.Close())
}

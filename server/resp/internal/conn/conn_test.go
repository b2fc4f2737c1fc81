package conn

import (
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// neverClosed is a TLS connection to a client that does not read: its Close waits. The Close of the connection below it does not wait.
type neverClosed struct {
	net.Conn
	below net.Conn
}

func (n neverClosed) NetConn() net.Conn { return n.below }
func (neverClosed) Close() error        { time.Sleep(time.Hour); return nil }

// TestDisconnectDoesNotWait: a client of TLS is disconnected without waiting for it.
func TestDisconnectDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		below, client := net.Pipe()
		begun := time.Now()
		(&Conn{Conn: neverClosed{below: below}}).Disconnect()
		require.Zero(t, time.Since(begun))
		_, err := client.Read(make([]byte, 1))
		require.Equal(t, io.EOF, err)
	})
}

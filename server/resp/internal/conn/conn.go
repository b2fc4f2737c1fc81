package conn

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/flow"
	"github.com/zrankdb/zrank/server/resp/internal/socket"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Why the server has disconnected a client.
var (
	ErrIdle            = errors.New("resp: the client has sent nothing for too long")
	ErrUnauthenticated = errors.New("resp: the client has not said who it is")
	ErrUnfinished      = errors.New("resp: the client does not finish its request")
	errReadAhead       = fmt.Errorf("resp: more than %d bytes have come from a client that waits", ReadAhead)
)

// Options are the limits of a connection.
type Options struct {
	MaxRequest       int
	MaxPending       int
	SlowTimeout      time.Duration
	HandshakeTimeout time.Duration
}

// Conn is the connection of one client: the reader of its requests, the sender of its replies, and the read deadline. The client's
// goroutine owns it; Stop and Disconnect may be called by any.
type Conn struct {
	net.Conn
	Reader *wire.Reader
	Sender *flow.Sender
	source io.Reader // of Reader: the socket, or Conn
	o      Options

	stopped      atomic.Bool // the server closes: reads end at once
	progressFrom int         // bytes of an unfinished request when its read deadline was set; 0: there is no such request
	deadline     bool        // the connection has a read deadline
	long         bool        // Long was called since the last read
}

// New returns the connection over a net.Conn. account counts the memory of its reader and sender.
func New(c net.Conn, o Options, account *budget.Account) *Conn {
	return &Conn{
		Conn:   c,
		Reader: wire.NewReader(wire.Limits{Bulk: o.MaxRequest, Request: o.MaxRequest}, account),
		source: socket.NewReader(c),
		Sender: flow.NewSender(c, flow.SendOptions{Limit: o.MaxPending, Timeout: o.SlowTimeout, Account: account}),
		o:      o,
	}
}

// Next returns the words of the next request that has arrived whole: see wire.Reader.Next.
func (c *Conn) Next() (words [][]byte, ok bool, err error) {
	words, ok, err = c.Reader.Next()
	if ok {
		c.progressFrom = 0
	}
	return words, ok, err
}

// Long announces that the next commands may take long: see socket.WakeMonitor.
func (c *Conn) Long() {
	if !c.long {
		c.long = true
		socket.WakeMonitor()
	}
}

// Handshake does the handshake of TLS, if the connection is one of TLS, within HandshakeTimeout.
func (c *Conn) Handshake(ctx context.Context) error {
	conn, ok := c.Conn.(interface{ HandshakeContext(context.Context) error })
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.o.HandshakeTimeout)
	defer cancel()
	return conn.HandshakeContext(ctx)
}

// NoHandshake reports whether the connection is one of TLS whose handshake has not succeeded.
func (c *Conn) NoHandshake() bool {
	conn, ok := c.Conn.(*tls.Conn)
	return ok && !conn.ConnectionState().HandshakeComplete
}

// Disconnect closes the connection at once. It does not use the Close of a TLS connection, which may wait for 5 s.
func (c *Conn) Disconnect() {
	conn := c.Conn
	if secure, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = secure.NetConn()
	}
	_ = conn.Close() // if it fails it is closed
}

const (
	// progress is how many bytes of an unfinished request extend its client's read deadline by SlowTimeout.
	progress = 64 << 10
	// yieldAfter is the size of a read that more bytes probably follow. The reader yields the processor after it, so that a client that
	// sends without a pause delays others by the time of one read.
	yieldAfter = 8 << 10
	// ReadAhead is how many bytes ReadInBackground reads. A client that sends more while it waits is disconnected: without further reads the
	// server could not notice that the client is gone.
	ReadAhead = 1 << 20
)

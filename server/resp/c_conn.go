package resp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/flow"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

const (
	// progress is how many bytes of an unfinished request extend its client's read deadline by SlowTimeout.
	progress = 64 << 10
	// yieldAfter is the size of a read that more bytes probably follow. The reader yields the processor after it, so that a client that
	// sends without a pause delays others by the time of one read.
	yieldAfter = 8 << 10
	// readAhead is how many bytes readInBackground reads. A client that sends more while it waits is disconnected: its end could not be
	// noticed otherwise.
	readAhead = 1 << 20
)

var (
	errIdle            = errors.New("resp: the client has sent nothing for too long")
	errUnauthenticated = errors.New("resp: the client has not said who it is")
	errUnfinished      = errors.New("resp: the client does not finish its request")
	errReadAhead       = fmt.Errorf("resp: more than %d bytes have come from a client that waits", readAhead)
)

// connOptions are the limits of a connection.
type connOptions struct {
	maxRequest       int
	maxPending       int
	slowTimeout      time.Duration
	handshakeTimeout time.Duration
}

// connection is the connection of one client: the reader of its requests, the sender of its replies, and the read deadline. The client's
// goroutine owns it; stop and disconnect may be called by any.
type connection struct {
	net.Conn
	in   *wire.Reader
	send *flow.Sender
	o    connOptions

	stopped      atomic.Bool // the server closes: reads end at once
	progressFrom int         // bytes of an unfinished request when its read deadline was set; 0: there is no such request
	deadline     bool        // the connection has a read deadline
}

// newConnection returns the connection over a net.Conn. account counts the memory of its reader and sender.
func newConnection(c net.Conn, o connOptions, account *budget.Account) *connection {
	return &connection{
		Conn: c,
		in:   wire.NewReader(wire.Limits{Bulk: o.maxRequest, Request: o.maxRequest}, account),
		send: flow.NewSender(c, flow.SendOptions{Limit: o.maxPending, Timeout: o.slowTimeout, Account: account}),
		o:    o,
	}
}

// next returns the words of the next request that has arrived whole: see wire.Reader.Next.
func (c *connection) next() (words [][]byte, ok bool, err error) {
	words, ok, err = c.in.Next()
	if ok {
		c.progressFrom = 0
	}
	return words, ok, err
}

// fill reads once. Between requests the client may take idle, where 0 is for ever; within a request, SlowTimeout for every 64 KiB, so that
// a byte now and then does not keep a request open. An unauthenticated client has SlowTimeout in all.
func (c *connection) fill(authenticated bool, idle time.Duration) error {
	c.extend(authenticated, idle)
	n, err := c.in.Fill(c.Conn)
	if n >= yieldAfter {
		runtime.Gosched()
	}
	switch {
	case err == nil || !errors.Is(err, os.ErrDeadlineExceeded) || c.stopped.Load():
		return err
	case !authenticated:
		return errUnauthenticated
	case c.in.Buffered() > 0:
		return errUnfinished
	}
	return errIdle
}

// extend sets the read deadline for the next read. Most of the time there is none, and was none before.
func (c *connection) extend(authenticated bool, idle time.Duration) {
	var until time.Time
	buffered := c.in.Buffered()
	switch {
	case !authenticated && c.deadline, c.progressFrom > 0 && buffered < c.progressFrom+progress:
		return
	case !authenticated || buffered > 0:
		until = time.Now().Add(c.o.slowTimeout)
	case idle > 0:
		until = time.Now().Add(idle)
	case !c.deadline:
		return
	}
	c.setDeadline(until)
	c.progressFrom = buffered
}

// setDeadline sets the read deadline; zero: none. After stop the deadline stays in the past.
func (c *connection) setDeadline(until time.Time) {
	c.deadline, c.progressFrom = !until.IsZero(), 0
	_ = c.SetReadDeadline(until) // if this fails, so does reading
	if c.stopped.Load() {
		c.stop()
	}
}

// stop ends all reads, so that the client's goroutine ends after the requests that have arrived.
func (c *connection) stop() {
	c.stopped.Store(true)
	_ = c.SetReadDeadline(time.Unix(1, 0)) // if this fails, reading does
}

// readInBackground reads what the client sends, up to 1 MiB, until the caller calls the returned function. It calls ended, in its own
// goroutine, if the connection ends before. The owner must not read meanwhile.
func (c *connection) readInBackground(ended func(error)) (stop func()) {
	c.setDeadline(time.Time{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			err := errReadAhead
			if c.in.Buffered() < readAhead {
				_, err = c.in.Fill(c.Conn)
			}
			switch {
			case err == nil:
			case errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, wire.ErrFull):
				return
			default:
				ended(err)
				return
			}
		}
	}()
	return func() {
		c.setDeadline(time.Unix(1, 0))
		<-done
		c.setDeadline(time.Time{})
	}
}

// handshake does the handshake of TLS, if the connection is one of TLS, within HandshakeTimeout.
func (c *connection) handshake(ctx context.Context) error {
	conn, ok := c.Conn.(interface{ HandshakeContext(context.Context) error })
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.o.handshakeTimeout)
	defer cancel()
	return conn.HandshakeContext(ctx)
}

// noHandshake reports whether the connection is one of TLS whose handshake has not succeeded.
func (c *connection) noHandshake() bool {
	conn, ok := c.Conn.(*tls.Conn)
	return ok && !conn.ConnectionState().HandshakeComplete
}

// disconnect closes the connection at once. It does not use the Close of a TLS connection, which may wait for 5 s.
func (c *connection) disconnect() {
	conn := c.Conn
	if secure, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = secure.NetConn()
	}
	_ = conn.Close() // if it fails it is closed
}

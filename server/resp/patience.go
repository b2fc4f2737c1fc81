package resp

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/flow"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// progress is how many bytes of a request that is not whole earn its client another Options.SlowTimeout.
const progress = 64 << 10

// yieldAfter is how many bytes a read returns that probably will not have been the last: a client that sends without a pause makes others
// wait for so many bytes, and not for as long as it sends.
const yieldAfter = 8 << 10

// patience is how long a client's goroutine waits for what it sends.
type patience struct {
	hurried    atomic.Bool // the server ends: nothing is waited for
	unfinished int         // bytes there were of a request that is not whole when its time began; 0: there is none
	set        bool        // the connection has a deadline
}

// fill reads what the client sends. Between requests it may take Options.IdleTimeout; within one, Options.SlowTimeout for
// every 64 KiB: a byte now and then does not keep a request open. Who has to say who it is has that long for it.
func (c *client) fill() error {
	c.await()
	n, err := c.in.Fill(c.conn)
	if n >= yieldAfter {
		runtime.Gosched()
	}
	switch {
	case err == nil || !errors.Is(err, os.ErrDeadlineExceeded) || c.patience.hurried.Load():
		return err
	case c.user == nil:
		return errStranger
	case c.in.Buffered() > 0:
		return errUnfinished
	}
	return errIdle
}

// await sets the time until which the client must have sent something. Most of the time there is none, and none before.
func (c *client) await() {
	var until time.Time
	p := &c.patience
	there := c.in.Buffered()
	switch {
	case c.user == nil && p.set, p.unfinished > 0 && there < p.unfinished+progress:
		return
	case c.user == nil || there > 0:
		until = time.Now().Add(c.s.o.SlowTimeout)
	case c.s.settings.idleTimeout() > 0:
		until = time.Now().Add(c.s.settings.idleTimeout())
	case !p.set:
		return
	}
	c.read(until)
	p.unfinished = there
}

// read sets the time until which the client must have sent something; zero: there is none. The server's end goes before.
func (c *client) read(until time.Time) {
	c.patience.set, c.patience.unfinished = !until.IsZero(), 0
	_ = c.conn.SetReadDeadline(until) // if this fails, so does reading
	if c.patience.hurried.Load() {
		c.hurry()
	}
}

// hurry makes the client's goroutine end when it has done what has come in. Others call it.
func (c *client) hurry() {
	c.patience.hurried.Store(true)
	_ = c.conn.SetReadDeadline(time.Unix(1, 0)) // if this fails, reading does
}

// gone notes why a client was disconnected, if that was not its own doing.
func (c *client) gone(err error) {
	if c.account.Evicted() || errors.Is(err, wire.ErrMemory) {
		c.s.counters.evicted.Add(1)
		c.s.evicted.warn(c.s.o.Logger, "resp: client disconnected: all clients hold as much as Options.ClientMemory", "client", c.id, "addr", c.conn.RemoteAddr())
		return
	}
	level := slog.LevelWarn
	var wrong *wire.ProtocolError
	switch {
	case errors.Is(err, flow.ErrSlow), errors.Is(err, errUnfinished):
	case errors.Is(err, errIdle), errors.Is(err, errStranger), errors.Is(err, errStrayed), errors.As(err, &wrong):
		level = slog.LevelInfo
	case err != nil && c.withoutHandshake():
		c.s.noTLS.warn(c.s.o.Logger, "resp: TLS handshake failed", "client", c.id, "addr", c.conn.RemoteAddr(), "err", err)
		return
	default:
		return
	}
	c.s.o.Logger.Log(c.s.ctx, level, "resp: disconnected", "client", c.id, "addr", c.conn.RemoteAddr(), "err", err)
}

// handshake is that of TLS, if the connection is one: it may take Options.HandshakeTimeout.
func (c *client) handshake() error {
	conn, ok := c.conn.(interface{ HandshakeContext(context.Context) error })
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(c.s.ctx, c.s.o.HandshakeTimeout)
	defer cancel()
	return conn.HandshakeContext(ctx)
}

// withoutHandshake reports whether the connection is one of TLS that never came about.
func (c *client) withoutHandshake() bool {
	conn, ok := c.conn.(*tls.Conn)
	return ok && !conn.ConnectionState().HandshakeComplete
}

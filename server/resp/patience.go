package resp

import (
	"errors"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/flow"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// progress is how many bytes of a request that is not whole earn its client another Options.SlowTimeout.
const progress = 64 << 10

// patience is how long a client's goroutine waits for what it sends.
type patience struct {
	hurried    atomic.Bool // the server ends: nothing is waited for
	unfinished int         // bytes there were of a request that is not whole when its time began; 0: there is none
	set        bool        // the connection has a deadline
}

// fill reads what the client sends. Between requests it may take Options.IdleTimeout; within one, Options.SlowTimeout for
// every 64 KiB: a byte now and then does not keep a request open.
func (c *client) fill() error {
	if !c.spare() {
		return errNoMemory
	}
	c.await()
	_, err := c.in.Fill(c.conn)
	if err == nil || !errors.Is(err, os.ErrDeadlineExceeded) || c.patience.hurried.Load() {
		return err
	}
	if c.in.Buffered() > 0 {
		return errUnfinished
	}
	return errIdle
}

// await sets the time until which the client must have sent something.
func (c *client) await() {
	var until time.Time
	p := &c.patience
	there := c.in.Buffered()
	switch {
	case p.unfinished > 0 && there < p.unfinished+progress:
		return
	case there > 0:
		until = time.Now().Add(c.s.o.SlowTimeout)
	case c.s.settings.idleTimeout() > 0:
		until = time.Now().Add(c.s.settings.idleTimeout())
	case !p.set:
		return
	}
	p.unfinished, p.set = there, !until.IsZero()
	_ = c.conn.SetReadDeadline(until) // if this fails, so does reading
	if p.hurried.Load() {
		c.hurry()
	}
}

// read sets the time until which the client must have sent something; zero: there is none, and it begins anew. The server's end
// goes before.
func (c *client) read(until time.Time) {
	c.patience.set, c.patience.unfinished = false, 0
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
	if c.memory.account.LetGo() {
		err = errNoMemory
	}
	var wrong *wire.ProtocolError
	why := []error{errIdle, errUnfinished, errNoMemory, flow.ErrSlow}
	if errors.As(err, &wrong) || slices.ContainsFunc(why, func(e error) bool { return errors.Is(err, e) }) {
		c.s.o.Logger.Warn("resp: disconnected", "client", c.id, "addr", c.conn.RemoteAddr(), "err", err)
	}
}

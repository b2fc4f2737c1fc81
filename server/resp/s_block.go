package resp

import (
	"context"
	"errors"
	"time"
)

// A client that waits, for members say, is disconnected as soon as its connection ends: its requests are read in the background, up to 1 MiB.
// When the server closes, the wait ends with errClosing.

var (
	errTimedOut  = errors.New("resp: the time to wait is over")
	errGone      = errors.New("resp: the client has gone")
	errUnblocked = refusal("UNBLOCKED client unblocked via CLIENT UNBLOCK")
	errClosing   = refusal("UNBLOCKED the server is closing")
)

// block runs wait with a context that ends after a time, if that is not 0, when the client disconnects, and when the server closes. The
// context's cause is errTimedOut, errGone, what unblock was given, or that of the server's context.
func (c *client) block(timeout time.Duration, wait func(context.Context) error) error {
	ctx, wake := context.WithCancelCause(c.host.ctx)
	defer wake(nil)
	if timeout > 0 {
		timed, stop := context.WithTimeoutCause(ctx, timeout, errTimedOut)
		defer stop()
		ctx = timed
	}
	defer c.wakeable(wake)()
	defer c.conn.readInBackground(func(err error) {
		c.logEnd(err)
		wake(errGone)
	})()
	return wait(ctx)
}

// wakeable lets unblock and kill call wake, until the caller calls the returned function.
func (c *client) wakeable(wake context.CancelCauseFunc) (stop func()) {
	c.update(func() {
		if c.wake = wake; c.killed {
			wake(errGone)
		}
	})
	return func() { c.update(func() { c.wake = nil }) }
}

// unserved answers a command whose wait has failed with err. It calls timedOut to write the reply for errTimedOut.
func (c *client) unserved(err error, timedOut func()) error {
	switch {
	case errors.Is(err, errTimedOut):
		timedOut()
	case errors.Is(err, errGone):
		c.closing = true
	case c.host.ctx.Err() != nil && errors.Is(err, context.Canceled):
		return errClosing
	default:
		return err
	}
	return nil
}

// unblock ends the wait of the client's command, and reports whether it waited. Other goroutines call it.
func (c *client) unblock(cause error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wake == nil {
		return false
	}
	c.wake(cause)
	c.wake = nil
	return true
}

// sleep sends the replies, and lets the client wait. It returns an error if the wait ends early.
func (c *client) sleep(d time.Duration) error {
	if err := c.flush(); err != nil {
		return err
	}
	ctx, wake := context.WithCancelCause(c.host.ctx)
	defer wake(nil)
	defer c.wakeable(wake)()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

package session

import (
	"context"
	"errors"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// A command may wait, for members for example. Meanwhile the connection reads the client's further requests in the background, up to 1 MiB, so
// that the wait ends as soon as the client disconnects. When the server closes, the wait ends with ErrClosing.

// The ends of a wait: ErrTimedOut and ErrUnblocked are causes of its context, ErrClosing is a reply.
var (
	ErrTimedOut  = errors.New("resp: the time to wait is over")
	ErrUnblocked = command.Refusal("UNBLOCKED client unblocked via CLIENT UNBLOCK")
	ErrClosing   = command.Refusal("UNBLOCKED the server is closing")
)

// Block runs wait with a context that ends after a timeout, if that is not 0, when the client disconnects, and when the server closes. The
// context's cause is ErrTimedOut, errGone, the cause that Unblock was called with, or that of the server's context.
func (c *Client) Block(timeout time.Duration, wait func(context.Context) error) error {
	ctx, wake := context.WithCancelCause(c.Host.Ctx)
	defer wake(nil)
	if timeout > 0 {
		timed, stop := context.WithTimeoutCause(ctx, timeout, ErrTimedOut)
		defer stop()
		ctx = timed
	}
	defer c.wakeable(wake)()
	defer c.Conn.ReadInBackground(func(err error) {
		c.LogEnd(err)
		wake(errGone)
	})()
	return wait(ctx)
}

// wakeable lets Unblock and Kill call wake, until the caller calls the returned function.
func (c *Client) wakeable(wake context.CancelCauseFunc) (stop func()) {
	c.Update(func() {
		if c.wake = wake; c.killed {
			wake(errGone)
		}
	})
	return func() { c.Update(func() { c.wake = nil }) }
}

// Unserved answers a command whose wait has failed with err. It calls timedOut to write the reply for ErrTimedOut.
func (c *Client) Unserved(err error, timedOut func()) error {
	switch {
	case errors.Is(err, ErrTimedOut):
		timedOut()
	case errors.Is(err, errGone):
		c.Closing = true
	case c.Host.Ctx.Err() != nil && errors.Is(err, context.Canceled):
		return ErrClosing
	default:
		return err
	}
	return nil
}

// sleep sends the replies and waits. It returns an error if Kill, Unblock or the server's Close ends the wait early.
func (c *Client) sleep(d time.Duration) error {
	if err := c.Flush(); err != nil {
		return err
	}
	ctx, wake := context.WithCancelCause(c.Host.Ctx)
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

package conn

import (
	"errors"
	"os"
	"runtime"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Fill reads once. Between requests the client may take idle, where 0 is for ever; within a request, SlowTimeout for every 64 KiB, so that
// a byte now and then does not keep a request open. An unauthenticated client has SlowTimeout in all.
func (c *Conn) Fill(authenticated bool, idle time.Duration) error {
	c.extend(authenticated, idle)
	c.long = false
	n, err := c.Reader.Fill(c.source)
	if n >= yieldAfter {
		runtime.Gosched()
	}
	switch {
	case err == nil || !errors.Is(err, os.ErrDeadlineExceeded) || c.stopped.Load():
		return err
	case !authenticated:
		return ErrUnauthenticated
	case c.Reader.Buffered() > 0:
		return ErrUnfinished
	}
	return ErrIdle
}

// extend sets the read deadline for the next read. In the usual case there was none before and needs to be none: then it changes nothing.
func (c *Conn) extend(authenticated bool, idle time.Duration) {
	var until time.Time
	buffered := c.Reader.Buffered()
	switch {
	case !authenticated && c.deadline, c.progressFrom > 0 && buffered < c.progressFrom+progress:
		return
	case !authenticated || buffered > 0:
		until = time.Now().Add(c.o.SlowTimeout)
	case idle > 0:
		until = time.Now().Add(idle)
	case !c.deadline:
		return
	}
	c.setDeadline(until)
	c.progressFrom = buffered
}

// setDeadline sets the read deadline; zero: none. After stop the deadline stays in the past.
func (c *Conn) setDeadline(until time.Time) {
	c.deadline, c.progressFrom = !until.IsZero(), 0
	_ = c.SetReadDeadline(until) // if this fails, so does reading
	if c.stopped.Load() {
		c.Stop()
	}
}

// Stop ends all reads, so that the client's goroutine ends after the requests that have arrived.
func (c *Conn) Stop() {
	c.stopped.Store(true)
	_ = c.SetReadDeadline(time.Unix(1, 0)) // if this fails, reading does
}

// ReadInBackground reads what the client sends, up to 1 MiB, until the caller calls the returned function. It calls ended, in its own
// goroutine, if the connection ends before. The owner must not read meanwhile.
func (c *Conn) ReadInBackground(ended func(error)) (stop func()) {
	c.setDeadline(time.Time{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			err := errReadAhead
			if c.Reader.Buffered() < ReadAhead {
				_, err = c.Reader.Fill(c.source)
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

package resp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/zset"
)

// A client that waits for members stands in line at the engine: first come, first served, by the end of the command or EXEC that
// feeds the key. What it has been answered before is sent first. Meanwhile what it sends is read, up to readAhead, so that it is
// noticed when it goes away, and its place is another's at once. An entry that was popped for it at that moment is lost, as in Redis.
// When the server closes, it is told so by an error, and then disconnected.

var (
	errTimedOut  = errors.New("resp: the time to wait is over")
	errGone      = errors.New("resp: the client has gone")
	errAhead     = fmt.Errorf("resp: more than %d bytes have come from a client that waits", readAhead)
	errUnblocked = refusal("UNBLOCKED client unblocked via CLIENT UNBLOCK")
	errClosing   = refusal("UNBLOCKED the server is closing")
)

// readAhead is how many bytes are read of a client that waits. One that sends more is disconnected: else it could not be noticed when it goes.
const readAhead = 1 << 20

// pop is what BZPOPMIN, BZPOPMAX and BZMPOP ask for.
type pop struct {
	mpop
	many bool          // it is BZMPOP
	wait time.Duration // 0: for ever
}

func parsePop(m *command, a [][]byte) (p pop, err error) {
	if m.name == "bzmpop" {
		p.many = true
		if p.mpop, err = parseMpop(a[2:]); err == nil {
			p.wait, err = parseTimeout(a[1])
		}
		return p, err
	}
	last := len(a) - 1
	p.keys, p.count, p.highest = a[1:last], 1, m.name == "bzpopmax"
	p.wait, err = parseTimeout(a[last])
	return p, err
}

// popOrWait is BZPOPMIN, BZPOPMAX and BZMPOP of a client that may wait.
func popOrWait(c *client, a [][]byte) error {
	m := look(c.s.commands, a[0])
	p, err := parsePop(m, a)
	if err != nil {
		return err
	}
	names := make([]string, len(p.keys))
	for i, key := range p.keys {
		names[i] = engineKey(c.db, key)
	}
	empty := false
	err = c.transact(names, true, func(t *txn) error {
		t.step.db = c.db
		_, s, err := t.firstOf(p.keys)
		if empty = s == nil && err == nil; empty || err != nil {
			return err
		}
		return t.do(step{m, a, c.db})
	})
	if err == nil && empty {
		p.keys = copied(p.keys) // they are read over while it waits
		err = c.waitFor(p, names)
	}
	return err
}

// waitFor waits for members, and answers.
func (c *client) waitFor(p pop, names []string) error {
	if c.flush() != nil {
		c.closing = true
		return nil
	}
	key, entries, err := c.stand(p, names)
	if err != nil {
		return c.unserved(err, c.out.NullArray)
	}
	bounds := c.out.Bounds
	c.out.Bounds = nil // they are nowhere else any more: whatever they take, they are said
	c.popped(p, names, key, entries)
	if c.flush() != nil {
		c.closing = true
	}
	c.out.Bounds = bounds
	return nil
}

// unserved answers a client that has not got what it waited for: timedOut writes what it is told when its time is over.
func (c *client) unserved(err error, timedOut func()) error {
	switch {
	case errors.Is(err, errTimedOut):
		timedOut()
	case errors.Is(err, errGone):
		c.closing = true
	case c.s.ctx.Err() != nil && errors.Is(err, context.Canceled):
		return errClosing
	default:
		return err
	}
	return nil
}

// stand stands in line until there are members, or something else ends it.
func (c *client) stand(p pop, names []string) (key string, entries []zset.Entry, err error) {
	c.s.waited.enter(names)
	defer c.s.waited.leave(names)
	err = c.block(p.wait, func(ctx context.Context) (err error) {
		if p.highest {
			key, entries, err = c.s.e.PopMaxWaitN(ctx, p.count, names...)
		} else {
			key, entries, err = c.s.e.PopMinWaitN(ctx, p.count, names...)
		}
		return err
	})
	return key, entries, err
}

// block runs what waits as long as its context lasts. Its cause is errTimedOut after a time, if that is not 0; errGone when the
// client has gone; what unblock is given; or that of the server's end.
func (c *client) block(most time.Duration, wait func(context.Context) error) error {
	ctx, wake := context.WithCancelCause(c.s.ctx)
	defer wake(nil)
	if most > 0 {
		timed, stop := context.WithTimeoutCause(ctx, most, errTimedOut)
		defer stop()
		ctx = timed
	}
	c.set(func() {
		if c.wake = wake; c.killed {
			wake(errGone)
		}
	})
	defer c.set(func() { c.wake = nil })
	defer c.watchForEnd(wake)()
	return wait(ctx)
}

// popped answers with what was popped. An entry has its score, and its key is what the client called it.
func (c *client) popped(p pop, names []string, name string, entries []zset.Entry) {
	for i := range names {
		if names[i] != name {
			continue
		}
		if !p.many {
			c.out.Array(3)
			c.out.Bulk(p.keys[i])
			c.out.Bulk(entries[0].Member)
			c.out.Double(entries[0].Score)
			return
		}
		c.out.Array(2)
		c.out.Bulk(p.keys[i])
		c.out.Array(len(entries))
		for _, e := range entries {
			c.out.Array(2)
			c.out.Bulk(e.Member)
			c.out.Double(e.Score)
		}
		return
	}
}

// unblock ends the waiting of the client, and says whether it waited. Others call it.
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

// watchForEnd reads what the client sends, until the function that it returns is called, and wakes it when it has gone.
func (c *client) watchForEnd(wake context.CancelCauseFunc) (stop func()) {
	c.read(time.Time{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			err := errAhead
			if c.in.Buffered() < readAhead {
				_, err = c.in.Fill(c.conn)
			}
			switch {
			case err == nil:
			case errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, wire.ErrFull):
				return
			default:
				c.gone(err)
				wake(errGone)
				return
			}
		}
	}()
	return func() {
		c.read(time.Unix(1, 0))
		<-done
		c.read(time.Time{})
	}
}

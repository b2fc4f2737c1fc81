package resp

import (
	"errors"
	"io"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// flushAt is how many bytes of replies are sent before more commands are executed.
const flushAt = 64 << 10

// closeGrace is how long a connection that ends waits for its client to take the replies.
const closeGrace = 5 * time.Second

// loop executes the requests of one client. The client's goroutine owns it.
type loop struct {
	*client
	run run
}

// serveClient executes the client's requests until it disconnects, or is disconnected.
func serveClient(of *client) {
	c := &loop{client: of}
	err := c.conn.handshake(c.host.ctx)
	if err == nil {
		err = c.readAndExecute()
	}
	err = reason(err, c.conn.send.Close(closeGrace))
	c.endMulti()
	c.unwatch()
	c.logEnd(err)
	c.release()
}

// readAndExecute reads and executes requests until the connection ends, and returns why it does.
func (c *loop) readAndExecute() error {
	for {
		c.active.Store(c.host.e.Now().UnixMilli())
		err := c.requests()
		c.finish()
		if err != nil {
			c.protocolError(err)
		}
		if sent := c.flush(); sent != nil || err != nil || c.closing {
			return errors.Join(sent, err)
		}
		if err := c.conn.fill(c.user != nil, time.Duration(c.host.idleTimeout.Load())); err != nil {
			if errors.Is(err, wire.ErrMemory) {
				c.conn.send.Tell("-" + string(errEvicted) + "\r\n")
			}
			return err
		}
	}
}

// requests executes the requests that have arrived whole. The error is that of bytes that are no request.
func (c *loop) requests() error {
	for !c.closing {
		a, ok, err := c.conn.next()
		if err != nil || !ok {
			return err
		}
		c.request(a)
	}
	return nil
}

// request executes a request, queues it for EXEC, or adds it to the run.
func (c *loop) request(a [][]byte) {
	if c.replies == allReplies {
		c.dispatch(a)
		return
	}
	c.unanswered(a)
}

// dispatch executes a request, queues it for EXEC, or adds it to the run.
func (c *loop) dispatch(a [][]byte) {
	m, err := c.host.commands.find(a)
	if err == nil {
		err = c.admit(m)
	}
	if err == nil {
		err = m.countKeys(a)
	}
	if m == nil && isHTTP(a[0]) {
		c.finish()
		c.closing = true
		c.logEnd(errHTTP)
		return
	}
	if err != nil {
		c.reject(a, err)
		c.flushIfBig()
		return
	}
	m.calls.Add(1)
	if c.last.Load() != m {
		c.last.Store(m)
	}
	switch {
	case c.multi != nil && m.flags&direct == 0:
		if err := c.queue(m, a); err != nil {
			c.reject(a, err)
		}
		c.flushIfBig()
	case m.tx != nil && m.alone == nil:
		c.enqueue(m, a)
	default:
		if c.finish(); !c.closing {
			c.runAlone(m, a)
		}
	}
}

// isHTTP reports whether a request is a line of HTTP, as a browser sends when a hostile page makes it talk to this port. As in Redis the
// connection is closed before any line of the page's that is a command.
func isHTTP(name []byte) bool { return is(name, "post") || is(name, "host:") }

// runAlone executes a command that does not share a transaction with others.
func (c *loop) runAlone(m *command, a [][]byte) {
	c.out.Begin()
	defer c.done()
	err := c.answerAlone(m, a)
	if errors.Is(err, errTurn) {
		c.takeTurn()
		err = c.answerAlone(m, a)
	}
	if m.flags&readonly != 0 {
		c.seq = max(c.seq, c.host.e.LastSeq()) // it may have read the effect of any commit
	}
	if err != nil {
		c.refuse(err)
	}
	c.flushIfBig()
}

// answerAlone writes the reply of a command that does not share a transaction. After an error it has written nothing.
func (c *loop) answerAlone(m *command, a [][]byte) error {
	err := m.alone(c.client, a)
	if err == nil && c.out.Over() != nil {
		err = c.cut()
	}
	if err != nil {
		c.out.Undo()
	}
	return err
}

// reject answers a request that is not executed at all. It makes EXEC fail, or is EXEC.
func (c *loop) reject(a [][]byte, err error) {
	if is(a[0], "exec") {
		c.endMulti()
		c.unwatch()
		err = aborted(err)
	} else if c.multi != nil {
		c.multi.failed = true
	}
	c.refuse(err)
}

// refuse answers with an error, after the replies of the run.
func (c *loop) refuse(err error) {
	c.finish()
	c.out.Begin()
	c.out.Error(string(refused(err)))
}

// unanswered executes a request and drops its reply: see CLIENT REPLY.
func (c *loop) unanswered(a [][]byte) {
	c.finish()
	if c.flush() != nil {
		c.closing = true
	}
	c.muted = true
	if c.replies == skipNext {
		c.replies = allReplies
	}
	c.dispatch(a)
	c.finish()
	if c.muted {
		c.out.Reset()
	}
	c.muted = false
}

// flushIfBig sends the replies if there are 64 KiB of them.
func (c *loop) flushIfBig() {
	if c.out.Len() >= flushAt && c.flush() != nil {
		c.closing = true
	}
}

// protocolError answers bytes that are no request. The client is disconnected then.
func (c *loop) protocolError(err error) {
	var wrong *wire.ProtocolError
	switch {
	case errors.As(err, &wrong):
		c.refuse(refusal("ERR " + wrong.Error()))
	case errors.Is(err, wire.ErrMemory):
		c.refuse(errEvicted)
	}
}

// reason returns why a connection ended: err, or sent if err says only that the client closed it.
func reason(err, sent error) error {
	if err == nil || err == io.EOF {
		return sent
	}
	return err
}

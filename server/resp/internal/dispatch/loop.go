package dispatch

import (
	"errors"
	"io"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// CloseGrace is how long a connection that ends waits for its client to take the replies.
const CloseGrace = 5 * time.Second

// Serve executes the requests of a client until it disconnects, or is disconnected.
func Serve(of *session.Client) {
	c := &Loop{Client: of}
	err := c.Conn.Handshake(c.Host.Ctx)
	if err == nil {
		err = c.readAndExecute()
	}
	err = reason(err, c.Conn.Sender.Close(CloseGrace))
	c.EndMulti()
	c.Unwatch()
	c.LogEnd(err)
	c.Release()
}

// readAndExecute reads and executes requests until the connection ends, and returns why it does.
func (c *Loop) readAndExecute() error {
	for {
		c.Active.Store(c.Host.Engine.Now().UnixMilli())
		err := c.requests()
		c.Finish()
		if err != nil {
			c.protocolError(err)
		}
		if sent := c.Flush(); sent != nil || err != nil || c.Closing {
			return errors.Join(sent, err)
		}
		if err := c.Conn.Fill(c.User != nil, time.Duration(c.Host.IdleTimeout.Load())); err != nil {
			if errors.Is(err, wire.ErrMemory) {
				c.Conn.Sender.Tell("-" + string(session.ErrEvicted) + "\r\n")
			}
			return err
		}
	}
}

// requests executes the requests that have arrived whole. The error is a protocol error: the next bytes are not a request.
func (c *Loop) requests() error {
	for !c.Closing {
		a, ok, err := c.Conn.Next()
		if err != nil || !ok {
			return err
		}
		c.Request(a)
	}
	return nil
}

// Request dispatches a request, and honors CLIENT REPLY.
func (c *Loop) Request(a [][]byte) {
	if c.Replies == session.AllReplies {
		c.dispatch(a)
		return
	}
	c.unanswered(a)
}

// dispatch executes a request, queues it for EXEC, or adds it to the run.
func (c *Loop) dispatch(a [][]byte) {
	m, err := c.Host.Commands.Find(a)
	if err == nil {
		err = c.Admit(m)
	}
	if err == nil {
		err = m.CountKeys(a)
	}
	if m == nil && isHTTP(a[0]) {
		c.Finish()
		c.Closing = true
		c.LogEnd(session.ErrHTTP)
		return
	}
	if err != nil {
		c.reject(a, err)
		c.flushIfBig()
		return
	}
	if m.Flags&command.Fast == 0 {
		c.Conn.Long()
	}
	m.Calls.Add(1)
	if c.Last.Load() != m {
		c.Last.Store(m)
	}
	switch {
	case c.Multi != nil && m.Flags&command.Direct == 0:
		if err := c.Queue(m, a); err != nil {
			c.reject(a, err)
		}
		c.flushIfBig()
	case m.Tx != nil && m.Alone == nil:
		c.enqueue(m, a)
	default:
		if c.Finish(); !c.Closing {
			c.runAlone(m, a)
		}
	}
}

// isHTTP reports whether a request is a line of HTTP. A hostile web page can make a browser send HTTP to this port, with commands in later
// lines. As in Redis the connection is closed before these.
func isHTTP(name []byte) bool { return command.Is(name, "post") || command.Is(name, "host:") }

// runAlone executes a command that does not share a transaction with others.
func (c *Loop) runAlone(m *session.Command, a [][]byte) {
	c.Out.Begin()
	defer c.Done()
	err := c.answerAlone(m, a)
	if errors.Is(err, session.ErrTurn) {
		c.TakeTurn()
		err = c.answerAlone(m, a)
	}
	if m.Flags&command.ReadOnly != 0 {
		c.Seq = max(c.Seq, c.Host.Engine.LastSeq()) // it may have read the effect of any commit
	}
	if err != nil {
		c.refuse(err)
	}
	c.flushIfBig()
}

// answerAlone writes the reply of a command that does not share a transaction. After an error it has written nothing.
func (c *Loop) answerAlone(m *session.Command, a [][]byte) error {
	err := m.Alone(c.Client, a)
	if err == nil && c.Out.Over() != nil {
		err = c.Cut()
	}
	if err != nil {
		c.Out.Undo()
	}
	return err
}

// reject answers a request that is not executed at all. Between MULTI and EXEC it makes EXEC fail.
func (c *Loop) reject(a [][]byte, err error) {
	if command.Is(a[0], "exec") {
		c.EndMulti()
		c.Unwatch()
		err = session.Aborted(err)
	} else if c.Multi != nil {
		c.Multi.Failed = true
	}
	c.refuse(err)
}

// refuse answers with an error, after the replies of the run.
func (c *Loop) refuse(err error) {
	c.Finish()
	c.Out.Begin()
	c.Out.Error(string(command.Refuse(err)))
}

// unanswered executes a request and drops its reply: see CLIENT REPLY.
func (c *Loop) unanswered(a [][]byte) {
	c.Finish()
	if c.Flush() != nil {
		c.Closing = true
	}
	c.Muted = true
	if c.Replies == session.SkipNext {
		c.Replies = session.AllReplies
	}
	c.dispatch(a)
	c.Finish()
	if c.Muted {
		c.Out.Reset()
	}
	c.Muted = false
}

// protocolError writes the reply to bytes that are not a request. The caller then disconnects the client.
func (c *Loop) protocolError(err error) {
	var wrong *wire.ProtocolError
	switch {
	case errors.As(err, &wrong):
		c.refuse(command.Refusal("ERR " + wrong.Error()))
	case errors.Is(err, wire.ErrMemory):
		c.refuse(session.ErrEvicted)
	}
}

// reason returns why a connection ended: err, or sent if err says only that the client closed it.
func reason(err, sent error) error {
	if err == nil || err == io.EOF {
		return sent
	}
	return err
}

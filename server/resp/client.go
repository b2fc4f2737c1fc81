package resp

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/flow"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// flushAt is how many bytes of replies are sent before more commands are done.
const flushAt = 64 << 10

// client is one connection. Its goroutine owns it; what others may look at is said where it stands.
type client struct {
	s    *Server
	id   int64
	conn net.Conn
	in   *wire.Reader
	out  wire.Writer
	send *flow.Sender

	run     run
	names   names
	seq     uint64 // the last commit that replies in out tell of
	closing bool   // no more commands are done; what has been answered is sent
	replies replyMode
	muted   bool // what is in out is for nobody
	inExec  bool // a transaction of EXEC is under way: the client must not wait

	account  *budget.Account // counts the client's memory
	turn     bool            // it has one of the server's turns
	borrowed int             // bytes that the command under way has taken for more than its reply
	patience patience

	watched      []watched
	watchedBytes int         // about what they take; of the budget of all clients
	told         atomic.Bool // somebody has changed a watched key; others set it

	mu sync.Mutex // what is below may be read by others: its owner holds mu to change it, others to look
	session
	multi  *multi                  // nil: not after MULTI
	wake   context.CancelCauseFunc // ends the command that waits for members; nil: none does
	killed bool                    // no command of its waits any more
	since  time.Time
	active atomic.Int64 // when it has sent something last, in Unix milliseconds
	last   atomic.Pointer[command]
}

// session is what a client has said about itself.
type session struct {
	db                    int
	user                  *User // nil: has not said yet who it is
	name, libName, libVer string
	noEvict, noTouch      bool
}

func newClient(s *Server, conn net.Conn, id int64) *client {
	c := &client{s: s, id: id, conn: conn}
	c.account = s.budget.Account(c.evict)
	c.in = wire.NewReader(wire.Limits{Bulk: s.o.MaxRequest, Request: s.o.MaxRequest}, c.account)
	c.send = flow.NewSender(conn, flow.SendOptions{Limit: s.o.MaxPending, Timeout: s.o.SlowTimeout, Account: c.account})
	c.names.elsewhere = &s.elsewhere
	c.out.Protocol, c.out.Scores = 2, s.o.Scores
	c.out.Bounds = &wire.Bounds{Account: c.account, Reply: s.o.MaxReply, Grow: c.grow}
	c.user, c.since = s.welcome(), s.e.Now()
	c.in.Restrict(c.user == nil)
	return c
}

// set changes what others may look at.
func (c *client) set(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// serve does the client's commands until it goes.
func (c *client) serve() {
	err := c.handshake()
	if err == nil {
		err = c.converse()
	}
	if sent := c.send.Close(closeGrace); err == nil || err == io.EOF {
		err = sent
	}
	c.endMulti()
	c.unwatch()
	c.gone(err)
	c.release()
}

// converse does the client's commands until it goes or is sent away, and returns why.
func (c *client) converse() error {
	for {
		c.active.Store(c.s.e.Now().UnixMilli())
		err := c.requests()
		c.finish()
		if err != nil {
			c.protocolError(err)
		}
		if sent := c.flush(); sent != nil || err != nil || c.closing {
			return errors.Join(sent, err)
		}
		if err := c.fill(); err != nil {
			if errors.Is(err, wire.ErrMemory) {
				c.send.Tell("-" + string(told) + "\r\n")
			}
			return err
		}
	}
}

// requests does the requests that have come in whole. The error is that of a request that is none.
func (c *client) requests() error {
	for !c.closing {
		a, ok, err := c.in.Next()
		if err != nil || !ok {
			return err
		}
		c.patience.unfinished = 0
		c.request(a)
	}
	return nil
}

// request does a request, or adds it to the run.
func (c *client) request(a [][]byte) {
	if c.replies == allReplies {
		c.dispatch(a)
		return
	}
	c.unanswered(a)
}

// dispatch finds out what is to be done with a request.
func (c *client) dispatch(a [][]byte) {
	m, err := c.s.find(a)
	if err == nil {
		err = c.admit(m)
	}
	if err == nil {
		err = m.countKeys(a)
	}
	if m == nil && strayed(a[0]) {
		c.finish()
		c.closing = true
		c.gone(errStrayed)
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

// strayed says that a request is a line of HTTP, as a browser sends that a hostile page has made talk to this port: as in Redis
// the connection is closed, before the page's lines that are commands.
func strayed(name []byte) bool { return is(name, "post") || is(name, "host:") }

// runAlone does a command that is not done together with others.
func (c *client) runAlone(m *command, a [][]byte) {
	c.out.Begin()
	defer c.done()
	err := c.answerAlone(m, a)
	if errors.Is(err, errTurn) {
		c.takeTurn()
		err = c.answerAlone(m, a)
	}
	if m.flags&readonly != 0 {
		c.seq = max(c.seq, c.s.e.LastSeq()) // it may have seen any commit
	}
	if err != nil {
		c.refuse(err)
	}
	c.flushIfBig()
}

// answerAlone writes the reply of a command that is not done together with others. After an error it has written nothing.
func (c *client) answerAlone(m *command, a [][]byte) error {
	err := m.alone(c, a)
	if err == nil && c.out.Over() != nil {
		err = c.cut()
	}
	if err != nil {
		c.out.Undo()
	}
	return err
}

// refuse answers with an error, after the commands before it.
func (c *client) refuse(err error) {
	c.finish()
	c.out.Begin()
	c.out.Error(string(refused(err)))
}

// flushIfBig sends replies before there are too many.
func (c *client) flushIfBig() {
	if c.out.Len() >= flushAt && c.flush() != nil {
		c.closing = true
	}
}

// flush sends the replies, once what they say is durable (P2).
func (c *client) flush() error {
	c.done()
	if c.muted {
		c.out.Reset()
	}
	if c.out.Len() == 0 {
		return nil
	}
	if seq := c.seq; seq > 0 {
		c.seq = 0
		if err := c.s.e.Acknowledge(seq); err != nil {
			c.out.Reset()
			c.out.Error(string(refused(err)))
			c.closing = true // which of the commands have been done is not known
		}
	}
	for _, b := range c.out.Detach() {
		_ = c.send.SendBlock(b) // Send returns it
	}
	err := c.send.Send(c.out.Buf)
	c.out.Reset()
	return err
}

// protocolError says what is wrong with a request that is none; the client is disconnected.
func (c *client) protocolError(err error) {
	var wrong *wire.ProtocolError
	switch {
	case errors.As(err, &wrong):
		c.refuse(refusal("ERR " + wrong.Error()))
	case errors.Is(err, wire.ErrMemory):
		c.refuse(told)
	}
}

package resp

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/flow"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// client is one connected client. Its goroutine owns it; fields that other goroutines use say so.
type client struct {
	host *host
	id   int64
	conn *connection
	out  wire.Writer // replies that have not been sent

	names   names
	seq     uint64 // the last commit that the replies in out depend on
	closing bool   // no more commands are executed; the replies in out are sent
	replies replyMode
	muted   bool // the replies in out are dropped
	inExec  bool // EXEC is executing: the client must not wait

	account  *budget.Account // counts the client's memory
	turn     bool            // it has one of the host's turns
	borrowed int             // bytes that the current command has taken beside its reply

	watched      watch
	watchedBytes int // about what watched takes, counted by account

	// mu guards the fields below: the owner holds it to change them, others to read them.
	mu sync.Mutex
	identity
	multi  *multi                  // nil: not after MULTI
	wake   context.CancelCauseFunc // ends the wait of the current command; nil: it does not wait
	killed bool                    // no command waits any more
	since  time.Time
	active atomic.Int64 // when the last request began, in Unix milliseconds
	last   atomic.Pointer[command]
}

// identity is what a client has said about itself.
type identity struct {
	db                    int
	user                  *authUser // nil: unauthenticated
	name, libName, libVer string
	noEvict, noTouch      bool
}

func newClient(h *host, conn net.Conn, id int64) *client {
	c := &client{host: h, id: id}
	c.account = h.budget.Account(c.evict)
	c.conn = newConnection(conn, h.o.conn, c.account)
	c.names = h.space.newNames()
	c.out.Protocol, c.out.Scores = 2, h.o.scores
	c.out.Bounds = &wire.Bounds{Account: c.account, Reply: h.o.maxReply, Grow: c.grow}
	c.user, c.since = h.o.users.welcome(), h.e.Now()
	c.conn.in.Restrict(c.user == nil)
	return c
}

// update changes fields that mu guards.
func (c *client) update(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// reset makes the client as if it were new: Redis RESET.
func (c *client) reset() {
	c.endMulti()
	c.unwatch()
	c.update(func() { c.identity, c.out.Protocol = identity{user: c.host.o.users.welcome()}, 2 })
	c.conn.in.Restrict(c.user == nil)
	c.unmute()
}

// unwatch removes all watched keys.
func (c *client) unwatch() {
	c.host.space.unwatch(&c.watched)
	c.account.Give(c.watchedBytes)
	c.watchedBytes = 0
}

// key returns the engine's key of a key of the client's database.
func (c *client) key(key []byte) string { return c.names.of(c.db, key) }

// flush sends the replies, once the commits they depend on are durable (P2).
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
		if err := c.host.e.Acknowledge(seq); err != nil {
			c.out.Reset()
			c.out.Error(string(refused(err)))
			c.closing = true // it is unknown which of the commands have been executed
		}
	}
	for _, b := range c.out.Detach() {
		_ = c.conn.send.SendBlock(b) // Send returns it
	}
	err := c.conn.send.Send(c.out.Buf)
	c.out.Reset()
	return err
}

// kill disconnects the client. Other goroutines call it. The client's own goroutine finishes the command that it executes.
func (c *client) kill() {
	c.update(func() { c.killed = true })
	c.unblock(errGone) // it may have stopped reading
	c.conn.disconnect()
}

// errHTTP ends a connection that sends lines of HTTP.
var errHTTP = errors.New("resp: the client speaks HTTP: somebody may be using a browser to attack")

// logEnd logs why the server disconnected a client. It logs nothing if the client disconnected itself.
func (c *client) logEnd(err error) {
	h := c.host
	if c.account.Evicted() || errors.Is(err, wire.ErrMemory) {
		h.counters.evicted.Add(1)
		h.evicted.warn(h.o.log, "resp: client disconnected: all clients hold as much as Options.ClientMemory", "client", c.id, "addr", c.conn.RemoteAddr())
		return
	}
	level := slog.LevelWarn
	var wrong *wire.ProtocolError
	switch {
	case errors.Is(err, flow.ErrSlow), errors.Is(err, errUnfinished):
	case errors.Is(err, errIdle), errors.Is(err, errUnauthenticated), errors.Is(err, errHTTP), errors.As(err, &wrong):
		level = slog.LevelInfo
	case err != nil && c.conn.noHandshake():
		h.noTLS.warn(h.o.log, "resp: TLS handshake failed", "client", c.id, "addr", c.conn.RemoteAddr(), "err", err)
		return
	default:
		return
	}
	h.o.log.Log(h.ctx, level, "resp: disconnected", "client", c.id, "addr", c.conn.RemoteAddr(), "err", err)
}

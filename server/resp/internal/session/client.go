package session

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/auth"
	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/conn"
	"github.com/zrankdb/zrank/server/resp/internal/flow"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Client is one connected client. Its goroutine owns it; fields that other goroutines use say so.
type Client struct {
	Host *Host
	ID   int64
	Conn *conn.Conn
	Out  wire.Writer // replies that have not been sent

	Names   keyspace.Names
	Seq     uint64 // the last commit that the replies in Out depend on
	Closing bool   // no more commands are executed; the replies in Out are sent
	Replies ReplyMode
	Muted   bool // the replies in Out are dropped
	InExec  bool // EXEC is executing: the client must not wait

	Account  *budget.Account // counts the client's memory
	turn     bool            // it has one of the host's turns
	borrowed int             // bytes that the current command has taken beside its reply

	Watched      keyspace.Watch
	WatchedBytes int // about the memory of Watched, counted by Account

	// mu guards the fields below: the owner holds it to change them, others to read them.
	mu sync.Mutex
	Identity
	Multi  *Multi                  // nil: not after MULTI
	wake   context.CancelCauseFunc // ends the wait of the current command; nil: it does not wait
	killed bool                    // no command waits any more
	since  time.Time
	Active atomic.Int64 // when the last request began, in Unix milliseconds
	Last   atomic.Pointer[Command]
}

// Identity is what a client has said about itself.
type Identity struct {
	DB                    int
	User                  *auth.User // nil: unauthenticated
	Name, LibName, LibVer string
	NoEvict, NoTouch      bool
}

// NewClient returns the client of a connection.
func NewClient(h *Host, nc net.Conn, id int64) *Client {
	c := &Client{Host: h, ID: id}
	c.Account = h.Budget.Account(c.evict)
	c.Conn = conn.New(nc, h.Config.Conn, c.Account)
	c.Names = h.Space.NewNames()
	c.Out.Protocol, c.Out.Scores = 2, h.Config.Scores
	c.Out.Bounds = &wire.Bounds{Account: c.Account, Reply: h.Config.MaxReply, Grow: c.grow}
	c.User, c.since = h.Config.Users.Welcome(), h.Engine.Now()
	c.Conn.Reader.Restrict(c.User == nil)
	return c
}

// Update changes fields that mu guards.
func (c *Client) Update(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// Reset makes the client as if it were new: Redis RESET.
func (c *Client) Reset() {
	c.EndMulti()
	c.Unwatch()
	c.Update(func() { c.Identity, c.Out.Protocol = Identity{User: c.Host.Config.Users.Welcome()}, 2 })
	c.Conn.Reader.Restrict(c.User == nil)
	c.Unmute()
}

// Unwatch removes all watched keys.
func (c *Client) Unwatch() {
	c.Host.Space.Unwatch(&c.Watched)
	c.Account.Give(c.WatchedBytes)
	c.WatchedBytes = 0
}

// Key returns the engine's key of a key of the client's database.
func (c *Client) Key(key []byte) string { return c.Names.Of(c.DB, key) }

// Flush sends the replies, once the commits they depend on are durable (P2).
func (c *Client) Flush() error {
	c.Done()
	if c.Muted {
		c.Out.Reset()
	}
	if c.Out.Len() == 0 {
		return nil
	}
	if seq := c.Seq; seq > 0 {
		c.Seq = 0
		if err := c.Host.Engine.Acknowledge(seq); err != nil {
			c.Out.Reset()
			c.Out.Error(string(command.Refuse(err)))
			c.Closing = true // it is unknown which of the commands have been executed
		}
	}
	for _, b := range c.Out.Detach() {
		_ = c.Conn.Sender.SendBlock(b) // Send returns it
	}
	err := c.Conn.Sender.Send(c.Out.Buf)
	c.Out.Reset()
	return err
}

// Kill disconnects the client. Other goroutines call it. The client's own goroutine finishes the command that it executes.
func (c *Client) Kill() {
	c.Update(func() { c.killed = true })
	c.Unblock(errGone) // it may have stopped reading
	c.Conn.Disconnect()
}

// ErrHTTP ends a connection that sends lines of HTTP.
var ErrHTTP = errors.New("resp: the client speaks HTTP: somebody may be using a browser to attack")

// LogEnd logs why the server disconnected a client. It logs nothing if the client disconnected itself.
func (c *Client) LogEnd(err error) {
	h := c.Host
	if c.Account.Evicted() || errors.Is(err, wire.ErrMemory) {
		h.Counters.Evicted.Add(1)
		h.evicted.Warn(h.Config.Log, "resp: client disconnected: all clients hold as much as Options.ClientMemory", "client", c.ID, "addr", c.Conn.RemoteAddr())
		return
	}
	level := slog.LevelWarn
	var wrong *wire.ProtocolError
	switch {
	case errors.Is(err, flow.ErrSlow), errors.Is(err, conn.ErrUnfinished):
	case errors.Is(err, conn.ErrIdle), errors.Is(err, conn.ErrUnauthenticated), errors.Is(err, ErrHTTP), errors.As(err, &wrong):
		level = slog.LevelInfo
	case err != nil && c.Conn.NoHandshake():
		h.noTLS.Warn(h.Config.Log, "resp: TLS handshake failed", "client", c.ID, "addr", c.Conn.RemoteAddr(), "err", err)
		return
	default:
		return
	}
	h.Config.Log.Log(h.Ctx, level, "resp: disconnected", "client", c.ID, "addr", c.Conn.RemoteAddr(), "err", err)
}

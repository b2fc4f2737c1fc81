package session

import (
	"net"

	"github.com/zrankdb/zrank/server/resp/internal/conn"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

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

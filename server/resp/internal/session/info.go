package session

import (
	"net"
	"time"
)

// Info has the fields of a client in CLIENT LIST.
type Info struct {
	ID            int64
	Addr, Local   net.Addr
	Age, Idle     time.Duration
	Waits         bool // its command waits
	Queued        int  // commands after MULTI; -1: not after MULTI
	QueuedBytes   int
	Unsent        int    // bytes of replies
	Command       string // the last; "": none yet
	Protocol      int
	Authenticated bool
	UserName      string
	Identity
}

// Info returns the fields of the client in CLIENT LIST. Any goroutine may call it.
func (c *Client) Info() Info {
	now := c.Host.Engine.Now()
	i := Info{ID: c.ID, Addr: c.Conn.RemoteAddr(), Local: c.Conn.LocalAddr(), Age: now.Sub(c.since),
		Idle: now.Sub(time.UnixMilli(c.Active.Load())), Queued: -1, Unsent: c.Conn.Sender.Waiting()}
	if m := c.Last.Load(); m != nil {
		i.Command = m.Name
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	i.Identity, i.Protocol, i.Waits = c.Identity, c.Out.Protocol, c.wake != nil
	if c.Multi != nil {
		i.Queued, i.QueuedBytes = len(c.Multi.Steps), c.Multi.bytes
	}
	if i.Authenticated = c.User != nil; i.Authenticated {
		i.UserName = c.User.Name
	}
	return i
}

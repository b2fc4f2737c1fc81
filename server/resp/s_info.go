package resp

import (
	"net"
	"time"
)

// details is what CLIENT LIST shows of a client.
type details struct {
	id            int64
	addr, local   net.Addr
	age, idle     time.Duration
	waits         bool // its command waits
	queued        int  // commands after MULTI; -1: not after MULTI
	queuedBytes   int
	unsent        int    // bytes of replies
	command       string // the last; "": none yet
	protocol      int
	authenticated bool
	userName      string
	identity
}

// info returns what CLIENT LIST shows of the client. Any goroutine may call it.
func (c *client) info() details {
	now := c.host.e.Now()
	i := details{id: c.id, addr: c.conn.RemoteAddr(), local: c.conn.LocalAddr(), age: now.Sub(c.since),
		idle: now.Sub(time.UnixMilli(c.active.Load())), queued: -1, unsent: c.conn.send.Waiting()}
	if m := c.last.Load(); m != nil {
		i.command = m.name
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	i.identity, i.protocol, i.waits = c.identity, c.out.Protocol, c.wake != nil
	if c.multi != nil {
		i.queued, i.queuedBytes = len(c.multi.list), c.multi.bytes
	}
	if i.authenticated = c.user != nil; i.authenticated {
		i.userName = c.user.name
	}
	return i
}

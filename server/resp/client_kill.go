package resp

import (
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// kill ends the connection. Others call it: what the client's goroutine does now it still does.
func (c *client) kill() {
	c.set(func() { c.killed = true })
	c.unblock(errGone) // it may have stopped reading
	disconnect(c.conn)
}

// victims says whom CLIENT KILL is to kill.
type victims struct {
	id                int64 // 0: any
	addr, laddr, user string
	nobody            bool // of another type than there are
	me                bool // the client that asks, too
}

func (v *victims) include(c, asks *client) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !v.nobody && (c != asks || v.me) && (v.id == 0 || c.id == v.id) &&
		(v.addr == "" || addressText(c.conn.RemoteAddr()) == v.addr) &&
		(v.laddr == "" || addressText(c.conn.LocalAddr()) == v.laddr) &&
		(v.user == "" || c.user != nil && c.user.Name == v.user)
}

// clientKill is Redis CLIENT KILL, in the form with filters, which answers how many, and the old one with an address.
func clientKill(c *client, a [][]byte) error {
	if len(a) == 3 {
		if c.killAll(victims{addr: string(a[2]), me: true}) == 0 {
			return refusal("ERR No such client")
		}
		c.out.OK()
		return nil
	}
	v, err := c.s.parseVictims(a[2:])
	if err != nil {
		return err
	}
	c.out.Int(int64(c.killAll(v)))
	return nil
}

// killAll kills clients, and returns how many. The one that asks gets its reply before.
func (c *client) killAll(v victims) (n int) {
	for _, other := range c.s.everyClient() {
		if !v.include(other, c) {
			continue
		}
		n++
		if other == c {
			c.closing = true
		} else {
			other.kill()
		}
	}
	return n
}

// parseVictims reads pairs of a filter and its value.
func (s *Server) parseVictims(words [][]byte) (v victims, err error) {
	for i := 0; i < len(words); i += 2 {
		if i+1 == len(words) {
			return v, errSyntax
		}
		if err := s.parseVictim(&v, words[i], words[i+1]); err != nil {
			return v, err
		}
	}
	return v, nil
}

func (s *Server) parseVictim(v *victims, filter, value []byte) error {
	switch {
	case is(filter, "id"):
		id, ok := wire.ParseInt(value)
		if !ok || id < 1 {
			return refusal("ERR client-id should be greater than 0")
		}
		v.id = id
	case is(filter, "type"):
		normal, err := parseType(value)
		v.nobody = !normal
		return err
	case is(filter, "addr"):
		v.addr = string(value)
	case is(filter, "laddr"):
		v.laddr = string(value)
	case is(filter, "user"):
		if !s.knows(string(value)) {
			return refusal("ERR No such user '" + clip(value, 128) + "'")
		}
		v.user = string(value)
	case is(filter, "skipme") && (is(value, "yes") || is(value, "no")):
		v.me = is(value, "no")
	default:
		return errSyntax
	}
	return nil
}

// knows says whether there is a user of that name.
func (s *Server) knows(name string) bool {
	for _, u := range s.o.Users {
		if u.Name == name {
			return true
		}
	}
	return len(s.o.Users) == 0 && name == defaultUser
}

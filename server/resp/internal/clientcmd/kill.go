package clientcmd

import (
	"github.com/zrankdb/zrank/server/resp/internal/auth"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// victims is the filter of CLIENT KILL.
type victims struct {
	id                int64 // 0: any
	addr, laddr, user string
	nobody            bool // the filter names a type that no client has
	me                bool // the client that runs CLIENT KILL may be a victim
}

// include reports whether a client is one of the victims. killer is the client that runs CLIENT KILL.
func (v *victims) include(c, killer *session.Client) bool {
	i := c.Info()
	return !v.nobody && (c != killer || v.me) && (v.id == 0 || i.ID == v.id) &&
		(v.addr == "" || addressText(i.Addr) == v.addr) &&
		(v.laddr == "" || addressText(i.Local) == v.laddr) &&
		(v.user == "" || i.Authenticated && i.UserName == v.user)
}

// clientKill is CLIENT KILL: the form with filters, which answers with the number of clients, and the old form with an address.
func clientKill(c *session.Client, a [][]byte) error {
	if len(a) == 3 {
		if killAll(c, victims{addr: string(a[2]), me: true}) == 0 {
			return command.Refusal("ERR No such client")
		}
		c.Out.OK()
		return nil
	}
	v, err := parseVictims(c.Host.Config.Users, a[2:])
	if err != nil {
		return err
	}
	c.Out.Int(int64(killAll(c, v)))
	return nil
}

// killAll kills the clients that match, and returns their number. If c itself matches, it is disconnected after the reply.
func killAll(c *session.Client, v victims) (n int) {
	for _, other := range c.Host.Clients.All() {
		if !v.include(other, c) {
			continue
		}
		n++
		if other == c {
			c.Closing = true
		} else {
			other.Kill()
		}
	}
	return n
}

// parseVictims reads pairs of a filter and its value. Errors: a refusal.
func parseVictims(u auth.Users, words [][]byte) (v victims, err error) {
	for i := 0; i < len(words); i += 2 {
		if i+1 == len(words) {
			return v, command.ErrSyntax
		}
		if err := parseVictim(u, &v, words[i], words[i+1]); err != nil {
			return v, err
		}
	}
	return v, nil
}

// parseVictim reads one filter and its value into v. Errors: a refusal.
func parseVictim(u auth.Users, v *victims, filter, value []byte) error {
	switch {
	case command.Is(filter, "id"):
		id, ok := wire.ParseInt(value)
		if !ok || id < 1 {
			return command.Refusal("ERR client-id should be greater than 0")
		}
		v.id = id
	case command.Is(filter, "type"):
		normal, err := parseType(value)
		v.nobody = !normal
		return err
	case command.Is(filter, "addr"):
		v.addr = string(value)
	case command.Is(filter, "laddr"):
		v.laddr = string(value)
	case command.Is(filter, "user"):
		if !u.Named(string(value)) {
			return command.Refusal("ERR No such user '" + command.Clip(value, 128) + "'")
		}
		v.user = string(value)
	case command.Is(filter, "skipme") && (command.Is(value, "yes") || command.Is(value, "no")):
		v.me = command.Is(value, "no")
	default:
		return command.ErrSyntax
	}
	return nil
}

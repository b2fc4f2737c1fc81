package resp

import (
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// victims says whom CLIENT KILL is to kill.
type victims struct {
	id                int64 // 0: any
	addr, laddr, user string
	nobody            bool // of another type than there are
	me                bool // the client that asks, too
}

// include reports whether a client is one of the victims; asks is the client that runs CLIENT KILL.
func (v *victims) include(c, asks *client) bool {
	i := c.info()
	return !v.nobody && (c != asks || v.me) && (v.id == 0 || i.id == v.id) &&
		(v.addr == "" || addressText(i.addr) == v.addr) &&
		(v.laddr == "" || addressText(i.local) == v.laddr) &&
		(v.user == "" || i.authenticated && i.userName == v.user)
}

// clientKill is Redis CLIENT KILL, in the form with filters, which answers how many, and the old one with an address.
func clientKill(c *client, a [][]byte) error {
	if len(a) == 3 {
		if killAll(c, victims{addr: string(a[2]), me: true}) == 0 {
			return refusal("ERR No such client")
		}
		c.out.OK()
		return nil
	}
	v, err := parseVictims(c.host.o.users, a[2:])
	if err != nil {
		return err
	}
	c.out.Int(int64(killAll(c, v)))
	return nil
}

// killAll kills clients, and returns how many. The one that asks gets its reply before.
func killAll(c *client, v victims) (n int) {
	for _, other := range c.host.clients.all() {
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
func parseVictims(u users, words [][]byte) (v victims, err error) {
	for i := 0; i < len(words); i += 2 {
		if i+1 == len(words) {
			return v, errSyntax
		}
		if err := parseVictim(u, &v, words[i], words[i+1]); err != nil {
			return v, err
		}
	}
	return v, nil
}

func parseVictim(u users, v *victims, filter, value []byte) error {
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
		if !u.named(string(value)) {
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

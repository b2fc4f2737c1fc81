package resp

import (
	"cmp"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// client returns the client with a number, or nil.
func (s *Server) client(id int64) *client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clients[id]
}

// everyClient returns the clients, those that came first before the others.
func (s *Server) everyClient() []*client {
	s.mu.Lock()
	list := make([]*client, 0, len(s.clients))
	for _, c := range s.clients {
		list = append(list, c)
	}
	s.mu.Unlock()
	slices.SortFunc(list, func(a, b *client) int { return cmp.Compare(a.id, b.id) })
	return list
}

// addressText returns an address as CLIENT LIST has it.
func addressText(addr net.Addr) string {
	if addr == nil {
		return ""
	}
	if addr.Network() == "unix" {
		return addr.String() + ":0"
	}
	return addr.String()
}

// describe returns the line of a client in CLIENT LIST, as Redis 7.2 has it. What a server of Redis has and this one has not, is 0.
func (c *client) describe() string {
	now := c.s.e.Now()
	idle := now.Sub(time.UnixMilli(c.active.Load()))
	command := "NULL"
	if m := c.last.Load(); m != nil {
		command = m.name
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	queued, queuedBytes, user := -1, 0, ""
	if c.multi != nil {
		queued, queuedBytes = len(c.multi.list), c.multi.bytes
	}
	if c.user != nil {
		user = c.user.Name
	}
	return fmt.Sprintf("id=%d addr=%s laddr=%s fd=-1 name=%s age=%d idle=%d flags=%s db=%d sub=0 psub=0 ssub=0 multi=%d "+
		"qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=%d rbs=0 rbp=0 obl=0 oll=0 omem=%d tot-mem=%d events=r cmd=%s user=%s redir=-1 "+
		"resp=%d lib-name=%s lib-ver=%s\n",
		c.id, addressText(c.conn.RemoteAddr()), addressText(c.conn.LocalAddr()), c.name, wholeSeconds(now.Sub(c.since)), wholeSeconds(idle),
		c.flagLetters(), c.db, queued, queuedBytes, c.send.Waiting(), c.send.Waiting()+queuedBytes, command, user,
		c.out.Protocol, c.libName, c.libVer)
}

func wholeSeconds(d time.Duration) int64 { return int64(max(d, 0) / time.Second) }

// flagLetters are the flags of a client in CLIENT LIST.
func (c *client) flagLetters() string {
	text := ""
	if c.wake != nil {
		text += "b"
	}
	if c.multi != nil {
		text += "x"
	}
	if _, unix := c.conn.LocalAddr().(*net.UnixAddr); unix {
		text += "U"
	}
	if c.noEvict {
		text += "e"
	}
	if c.noTouch {
		text += "T"
	}
	return either(text, "N")
}

func clientInfo(c *client, _ [][]byte) error {
	c.out.Verbatim("txt", c.describe())
	return nil
}

// clientList is Redis CLIENT LIST [TYPE type | ID id [id …]].
func clientList(c *client, a [][]byte) error {
	list := c.s.everyClient()
	switch {
	case len(a) == 2:
	case len(a) == 4 && is(a[2], "type"):
		normal, err := parseType(a[3])
		if err != nil {
			return err
		}
		if !normal {
			list = nil
		}
	case len(a) > 3 && is(a[2], "id"):
		list = nil
		for _, word := range a[3:] {
			id, ok := wire.ParseInt(word)
			if !ok {
				return refusal("ERR Invalid client ID")
			}
			if other := c.s.client(id); other != nil {
				list = append(list, other)
			}
		}
	default:
		return errSyntax
	}
	var text strings.Builder
	for _, other := range list {
		if text.WriteString(other.describe()); text.Len() > c.s.o.MaxReply {
			break // it is too large for a reply, which is cut off
		}
	}
	c.out.Verbatim("txt", text.String())
	return nil
}

// parseType reads a type of clients: all there are here are normal.
func parseType(word []byte) (normal bool, err error) {
	for _, other := range []string{"master", "replica", "slave", "pubsub"} {
		if is(word, other) {
			return false, nil
		}
	}
	if !is(word, "normal") {
		return false, refusal("ERR Unknown client type '" + clip(word, 128) + "'")
	}
	return true, nil
}

package resp

import (
	"cmp"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

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

// describe returns the line of a client in CLIENT LIST, as Redis 7.2 has it. Fields that only a server of Redis has are 0.
func describe(c details) string {
	return fmt.Sprintf("id=%d addr=%s laddr=%s fd=-1 name=%s age=%d idle=%d flags=%s db=%d sub=0 psub=0 ssub=0 multi=%d "+
		"qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=%d rbs=0 rbp=0 obl=0 oll=0 omem=%d tot-mem=%d events=r cmd=%s user=%s redir=-1 "+
		"resp=%d lib-name=%s lib-ver=%s\n",
		c.id, addressText(c.addr), addressText(c.local), c.name, wholeSeconds(c.age), wholeSeconds(c.idle),
		flagLetters(c), c.db, c.queued, c.queuedBytes, c.unsent, c.unsent+c.queuedBytes, cmp.Or(c.command, "NULL"), c.userName,
		c.protocol, c.libName, c.libVer)
}

func wholeSeconds(d time.Duration) int64 { return int64(max(d, 0) / time.Second) }

// flagLetters are the flags of a client in CLIENT LIST.
func flagLetters(c details) string {
	text := ""
	if c.waits {
		text += "b"
	}
	if c.queued >= 0 {
		text += "x"
	}
	if _, unix := c.local.(*net.UnixAddr); unix {
		text += "U"
	}
	if c.noEvict {
		text += "e"
	}
	if c.noTouch {
		text += "T"
	}
	return cmp.Or(text, "N")
}

func clientInfo(c *client, _ [][]byte) error {
	c.out.Verbatim("txt", describe(c.info()))
	return nil
}

// clientList is Redis CLIENT LIST [TYPE type | ID id [id …]].
func clientList(c *client, a [][]byte) error {
	list := c.host.clients.all()
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
			if other := c.host.clients.get(id); other != nil {
				list = append(list, other)
			}
		}
	default:
		return errSyntax
	}
	var text strings.Builder
	for _, other := range list {
		if text.WriteString(describe(other.info())); text.Len() > c.host.o.maxReply {
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

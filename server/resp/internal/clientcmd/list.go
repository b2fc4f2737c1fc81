package clientcmd

import (
	"cmp"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// addressText returns an address as CLIENT LIST shows it.
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
func describe(c session.Info) string {
	return fmt.Sprintf("id=%d addr=%s laddr=%s fd=-1 name=%s age=%d idle=%d flags=%s db=%d sub=0 psub=0 ssub=0 multi=%d "+
		"qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=%d rbs=0 rbp=0 obl=0 oll=0 omem=%d tot-mem=%d events=r cmd=%s user=%s redir=-1 "+
		"resp=%d lib-name=%s lib-ver=%s\n",
		c.ID, addressText(c.Addr), addressText(c.Local), c.Name, wholeSeconds(c.Age), wholeSeconds(c.Idle),
		flagLetters(c), c.DB, c.Queued, c.QueuedBytes, c.Unsent, c.Unsent+c.QueuedBytes, cmp.Or(c.Command, "NULL"), c.UserName,
		c.Protocol, c.LibName, c.LibVer)
}

func wholeSeconds(d time.Duration) int64 { return int64(max(d, 0) / time.Second) }

// flagLetters returns the flags of a client in CLIENT LIST.
func flagLetters(c session.Info) string {
	text := ""
	if c.Waits {
		text += "b"
	}
	if c.Queued >= 0 {
		text += "x"
	}
	if _, unix := c.Local.(*net.UnixAddr); unix {
		text += "U"
	}
	if c.NoEvict {
		text += "e"
	}
	if c.NoTouch {
		text += "T"
	}
	return cmp.Or(text, "N")
}

func clientInfo(c *session.Client, _ [][]byte) error {
	c.Out.Verbatim("txt", describe(c.Info()))
	return nil
}

// clientList is CLIENT LIST [TYPE type | ID id [id …]].
func clientList(c *session.Client, a [][]byte) error {
	list := c.Host.Clients.All()
	switch {
	case len(a) == 2:
	case len(a) == 4 && command.Is(a[2], "type"):
		normal, err := parseType(a[3])
		if err != nil {
			return err
		}
		if !normal {
			list = nil
		}
	case len(a) > 3 && command.Is(a[2], "id"):
		list = nil
		for _, word := range a[3:] {
			id, ok := wire.ParseInt(word)
			if !ok {
				return command.Refusal("ERR Invalid client ID")
			}
			if other := c.Host.Clients.Get(id); other != nil {
				list = append(list, other)
			}
		}
	default:
		return command.ErrSyntax
	}
	var text strings.Builder
	for _, other := range list {
		if text.WriteString(describe(other.Info())); text.Len() > c.Host.Config.MaxReply {
			break // too large for a reply, which is refused
		}
	}
	c.Out.Verbatim("txt", text.String())
	return nil
}

// parseType reads a type of clients: all clients of this server are normal. Errors: a refusal.
func parseType(word []byte) (normal bool, err error) {
	for _, other := range []string{"master", "replica", "slave", "pubsub"} {
		if command.Is(word, other) {
			return false, nil
		}
	}
	if !command.Is(word, "normal") {
		return false, command.Refusal("ERR Unknown client type '" + command.Clip(word, 128) + "'")
	}
	return true, nil
}

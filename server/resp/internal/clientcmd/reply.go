package clientcmd

import (
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// clientReply is CLIENT REPLY ON|OFF|SKIP. OFF and SKIP have no reply themselves.
func clientReply(c *session.Client, a [][]byte) error {
	switch {
	case command.Is(a[2], "on"):
		c.Unmute()
		c.Out.OK()
	case command.Is(a[2], "off"):
		c.Replies = session.NoReplies
	case !command.Is(a[2], "skip"):
		return command.ErrSyntax
	case c.Replies != session.NoReplies:
		c.Replies = session.SkipNext
	}
	return nil
}

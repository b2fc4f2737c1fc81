package session

import (
	"errors"
)

// Unmute makes the server send the client's replies from now on.
func (c *Client) Unmute() {
	if c.Muted {
		c.Out.Reset()
	}
	c.Muted, c.Replies = false, AllReplies
}

// ErrHTTP ends a connection that sends lines of HTTP.
var ErrHTTP = errors.New("resp: the client speaks HTTP: somebody may be using a browser to attack")

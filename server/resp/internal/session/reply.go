package session

// ReplyMode says which requests are answered: Redis CLIENT REPLY.
type ReplyMode int

// The modes of CLIENT REPLY.
const (
	AllReplies ReplyMode = iota
	SkipNext             // all but the next
	NoReplies
)

// Unmute makes the server send the client's replies from now on.
func (c *Client) Unmute() {
	if c.Muted {
		c.Out.Reset()
	}
	c.Muted, c.Replies = false, AllReplies
}

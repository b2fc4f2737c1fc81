package resp

// replyMode says which requests are answered: Redis CLIENT REPLY.
type replyMode int

const (
	allReplies replyMode = iota
	skipNext             // all but the next
	noReplies
)

// unmute makes the server send the client's replies from now on.
func (c *client) unmute() {
	if c.muted {
		c.out.Reset()
	}
	c.muted, c.replies = false, allReplies
}

package resp

// replyMode says which requests are answered: Redis CLIENT REPLY.
type replyMode int

const (
	allReplies replyMode = iota
	skipNext             // all but the next
	noReplies
)

// unanswered does a request whose reply nobody wants.
func (c *client) unanswered(a [][]byte) {
	c.finish()
	if c.flush() != nil {
		c.closing = true
	}
	c.muted = true
	if c.replies == skipNext {
		c.replies = allReplies
	}
	c.dispatch(a)
	c.finish()
	if c.muted {
		c.out.Reset()
	}
	c.muted = false
}

// unmute makes the replies from here on be sent.
func (c *client) unmute() {
	if c.muted {
		c.out.Reset()
	}
	c.muted, c.replies = false, allReplies
}

func clientReply(c *client, a [][]byte) error {
	switch {
	case is(a[2], "on"):
		c.unmute()
		c.out.OK()
	case is(a[2], "off"):
		c.replies = noReplies
	case !is(a[2], "skip"):
		return errSyntax
	case c.replies != noReplies:
		c.replies = skipNext
	}
	return nil
}

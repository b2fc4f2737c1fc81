package resp

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

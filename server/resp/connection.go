package resp

// connectionCommands are about a client itself.
var connectionCommands = []command{
	{name: "ping", arity: -1, flags: fast, alone: ping, doc: doc{"Answers PONG, or the message", "1.0.0", "connection", "O(1)"}},
}

func ping(c *client, a [][]byte) error {
	switch len(a) {
	case 1:
		c.out.Status("PONG")
	case 2:
		c.out.Bulk(a[1])
	default:
		return errArity("ping")
	}
	return nil
}

package resp

import (
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// connectionCommands are about a client itself.
var connectionCommands = []command{
	{name: "ping", arity: -1, flags: fast, alone: ping,
		doc: doc{"Answers PONG, or the message", "1.0.0", "connection", "O(1)"}},
	{name: "echo", arity: 2, flags: fast, alone: echo,
		doc: doc{"Answers with the message", "1.0.0", "connection", "O(1)"}},
	{name: "quit", arity: -1, flags: fast | noAuth | direct, alone: quit,
		doc: doc{"Ends the connection", "1.0.0", "connection", "O(1)"}},
	{name: "reset", arity: 1, flags: fast | noAuth | direct, alone: reset,
		doc: doc{"Makes the connection as if it were new", "6.2.0", "connection", "O(1)"}},
	{name: "hello", arity: -1, flags: fast | noAuth, alone: hello,
		doc: doc{"Says which protocol to speak, and who the client is", "6.0.0", "connection", "O(1)"}},
	{name: "auth", arity: -2, flags: fast | noAuth, alone: auth,
		doc: doc{"Says who the client is", "1.0.0", "connection", "O(users)"}},
	{name: "select", arity: 2, flags: fast, alone: selectDatabase,
		doc: doc{"Goes to another database", "1.0.0", "connection", "O(1)"}},
	{name: "client", arity: -2, subs: subcommands(clientCommands),
		doc: doc{"Commands about connections", "2.4.0", "connection", "depends on the subcommand"}},
	{name: "acl", arity: -2, subs: subcommands(aclCommands),
		doc: doc{"Commands about users", "6.0.0", "server", "depends on the subcommand"}},
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

func echo(c *client, a [][]byte) error {
	c.out.Bulk(a[1])
	return nil
}

func quit(c *client, _ [][]byte) error {
	c.closing = true
	c.out.OK()
	return nil
}

// reset makes the connection as if it were new: Redis RESET.
func reset(c *client, _ [][]byte) error {
	c.reset()
	c.out.Status("RESET")
	return nil
}

func selectDatabase(c *client, a [][]byte) error {
	db, err := parseDatabase(a[1], c.host.o.databases)
	if err == nil {
		c.update(func() { c.db = db })
		c.out.OK()
	}
	return err
}

// hello is Redis HELLO [protocol [AUTH name password] [SETNAME name]]. As in Redis options are done one after the other, so that those
// before one that is wrong have been done; the protocol changes only if all are right.
func hello(c *client, a [][]byte) error {
	protocol := c.out.Protocol
	if len(a) > 1 {
		n, ok := wire.ParseInt(a[1])
		if !ok {
			return refusal("ERR Protocol version is not an integer or out of range")
		}
		if n != 2 && n != 3 {
			return refusal("NOPROTO unsupported protocol version")
		}
		protocol = int(n)
	}
	for rest := a[min(2, len(a)):]; len(rest) > 0; {
		words, err := helloOption(c, rest)
		if err != nil {
			return err
		}
		rest = rest[words:]
	}
	if c.user == nil {
		return refusal("NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> " +
			"option can be used to authenticate the client and select the RESP protocol version at the same time")
	}
	c.update(func() { c.out.Protocol = protocol })
	greet(c)
	return nil
}

// helloOption does the first option of HELLO, and returns how many words it has.
func helloOption(c *client, a [][]byte) (words int, err error) {
	switch {
	case is(a[0], "auth") && len(a) > 2:
		return 3, c.authenticate(a[1], a[2])
	case is(a[0], "setname") && len(a) > 1:
		if err := nameAllowed(a[1]); err != nil {
			return 0, err
		}
		c.update(func() { c.name = string(a[1]) })
		return 2, nil
	}
	return 0, refusal("ERR Syntax error in HELLO option '" + clip(a[0], 128) + "'")
}

// greet writes what HELLO answers.
func greet(c *client) {
	w := &c.out
	w.Map(7)
	for _, pair := range [][2]string{{"server", "redis"}, {"version", redisVersion}} {
		w.BulkString(pair[0])
		w.BulkString(pair[1])
	}
	w.BulkString("proto")
	w.Int(int64(w.Protocol))
	w.BulkString("id")
	w.Int(c.id)
	for _, pair := range [][2]string{{"mode", "standalone"}, {"role", "master"}} {
		w.BulkString(pair[0])
		w.BulkString(pair[1])
	}
	w.BulkString("modules")
	w.Array(0)
}

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
	c.endMulti()
	c.unwatch()
	c.set(func() { c.session, c.out.Protocol = session{user: c.s.welcome()}, 2 })
	c.in.Restrict(c.user == nil)
	c.unmute()
	c.out.Status("RESET")
	return nil
}

func selectDatabase(c *client, a [][]byte) error {
	db, err := c.s.database(a[1])
	if err == nil {
		c.set(func() { c.db = db })
		c.out.OK()
	}
	return err
}

// database reads the number of a database.
func (s *Server) database(word []byte) (int, error) {
	n, err := parseInt[int64](word)
	switch {
	case err != nil:
		return 0, err
	case n != int64(int32(n)):
		return 0, refusal("ERR value is out of range, value must between -2147483648 and 2147483647")
	case n < 0 || n >= int64(s.o.Databases):
		return 0, errDatabase
	}
	return int(n), nil
}

// helloOptions are the words after HELLO.
type helloOptions struct {
	protocol       int // 0: as it is
	auth           bool
	user, password []byte
	named          bool
	name           []byte
}

func parseHello(a [][]byte) (o helloOptions, err error) {
	if len(a) > 1 {
		n, ok := wire.ParseInt(a[1])
		if !ok {
			return o, refusal("ERR Protocol version is not an integer or out of range")
		}
		if n != 2 && n != 3 {
			return o, refusal("NOPROTO unsupported protocol version")
		}
		o.protocol = int(n)
	}
	for i := 2; i < len(a); i++ {
		more := len(a) - i - 1
		switch {
		case is(a[i], "auth") && more >= 2:
			o.auth, o.user, o.password = true, a[i+1], a[i+2]
			i += 2
		case is(a[i], "setname") && more >= 1:
			o.named, o.name = true, a[i+1]
			if err := nameAllowed(o.name); err != nil {
				return o, err
			}
			i++
		default:
			return o, refusal("ERR Syntax error in HELLO option '" + clip(a[i], 128) + "'")
		}
	}
	return o, nil
}

// hello is Redis HELLO: nothing changes unless all of it is right.
func hello(c *client, a [][]byte) error {
	o, err := parseHello(a)
	if err != nil {
		return err
	}
	if o.auth {
		if err := c.authenticate(o.user, o.password); err != nil {
			return err
		}
	}
	if c.user == nil {
		return refusal("NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> " +
			"option can be used to authenticate the client and select the RESP protocol version at the same time")
	}
	if o.named {
		c.set(func() { c.name = string(o.name) })
	}
	if o.protocol != 0 {
		c.set(func() { c.out.Protocol = o.protocol })
	}
	c.greet()
	return nil
}

// greet writes what HELLO answers.
func (c *client) greet() {
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

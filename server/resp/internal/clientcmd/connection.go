package clientcmd

import (
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Commands are the commands on the client itself.
var Commands = []session.Command{
	{Name: "ping", Arity: -1, Flags: command.Fast, Alone: ping,
		Doc: command.NewDoc("Answers PONG, or the message", "1.0.0", "connection", "O(1)")},
	{Name: "echo", Arity: 2, Flags: command.Fast, Alone: echo,
		Doc: command.NewDoc("Answers with the message", "1.0.0", "connection", "O(1)")},
	{Name: "quit", Arity: -1, Flags: command.Fast | command.NoAuth | command.Direct, Alone: quit,
		Doc: command.NewDoc("Ends the connection", "1.0.0", "connection", "O(1)")},
	{Name: "reset", Arity: 1, Flags: command.Fast | command.NoAuth | command.Direct, Alone: reset,
		Doc: command.NewDoc("Makes the connection as if it were new", "6.2.0", "connection", "O(1)")},
	{Name: "hello", Arity: -1, Flags: command.Fast | command.NoAuth, Alone: hello,
		Doc: command.NewDoc("Says which protocol to speak, and who the client is", "6.0.0", "connection", "O(1)")},
	{Name: "auth", Arity: -2, Flags: command.Fast | command.NoAuth, Alone: authenticate,
		Doc: command.NewDoc("Says who the client is", "1.0.0", "connection", "O(users)")},
	{Name: "select", Arity: 2, Flags: command.Fast, Alone: selectDatabase,
		Doc: command.NewDoc("Goes to another database", "1.0.0", "connection", "O(1)")},
	{Name: "client", Arity: -2, Subs: session.Subcommands(clientCommands),
		Doc: command.NewDoc("Commands about connections", "2.4.0", "connection", "depends on the subcommand")},
	{Name: "acl", Arity: -2, Subs: session.Subcommands(aclCommands),
		Doc: command.NewDoc("Commands about users", "6.0.0", "server", "depends on the subcommand")},
}

func ping(c *session.Client, a [][]byte) error {
	switch len(a) {
	case 1:
		c.Out.Status("PONG")
	case 2:
		c.Out.Bulk(a[1])
	default:
		return command.ErrArity("ping")
	}
	return nil
}

func echo(c *session.Client, a [][]byte) error {
	c.Out.Bulk(a[1])
	return nil
}

func quit(c *session.Client, _ [][]byte) error {
	c.Closing = true
	c.Out.OK()
	return nil
}

// reset is RESET, which makes the connection as if it were new.
func reset(c *session.Client, _ [][]byte) error {
	c.Reset()
	c.Out.Status("RESET")
	return nil
}

func selectDatabase(c *session.Client, a [][]byte) error {
	db, err := command.ParseDatabase(a[1], c.Host.Config.Databases)
	if err == nil {
		c.Update(func() { c.DB = db })
		c.Out.OK()
	}
	return err
}

// hello is HELLO [protocol [AUTH name password] [SETNAME name]]. As in Redis the options take effect one after the other, up to one that is
// wrong; the protocol changes only if all are right.
func hello(c *session.Client, a [][]byte) error {
	protocol := c.Out.Protocol
	if len(a) > 1 {
		n, ok := wire.ParseInt(a[1])
		if !ok {
			return command.Refusal("ERR Protocol version is not an integer or out of range")
		}
		if n != 2 && n != 3 {
			return command.Refusal("NOPROTO unsupported protocol version")
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
	if c.User == nil {
		return command.Refusal("NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> " +
			"option can be used to authenticate the client and select the RESP protocol version at the same time")
	}
	c.Update(func() { c.Out.Protocol = protocol })
	greet(c)
	return nil
}

// helloOption executes the first option of HELLO, and returns its number of words.
func helloOption(c *session.Client, a [][]byte) (words int, err error) {
	switch {
	case command.Is(a[0], "auth") && len(a) > 2:
		return 3, c.Authenticate(a[1], a[2])
	case command.Is(a[0], "setname") && len(a) > 1:
		if err := nameAllowed(a[1]); err != nil {
			return 0, err
		}
		c.Update(func() { c.Name = string(a[1]) })
		return 2, nil
	}
	return 0, command.Refusal("ERR Syntax error in HELLO option '" + command.Clip(a[0], 128) + "'")
}

// greet writes the reply of HELLO.
func greet(c *session.Client) {
	w := &c.Out
	w.Map(7)
	for _, pair := range [][2]string{{"server", "redis"}, {"version", command.RedisVersion}} {
		w.BulkString(pair[0])
		w.BulkString(pair[1])
	}
	w.BulkString("proto")
	w.Int(int64(w.Protocol))
	w.BulkString("id")
	w.Int(c.ID)
	for _, pair := range [][2]string{{"mode", "standalone"}, {"role", "master"}} {
		w.BulkString(pair[0])
		w.BulkString(pair[1])
	}
	w.BulkString("modules")
	w.Array(0)
}

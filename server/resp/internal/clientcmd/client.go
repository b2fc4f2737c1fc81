package clientcmd

import (
	"strings"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// clientCommands are the subcommands of CLIENT.
var clientCommands = []session.Command{
	{Name: "client|id", Arity: 2, Alone: clientID,
		Doc: command.NewDoc("Returns the number of the connection", "5.0.0", "connection", "O(1)")},
	{Name: "client|getname", Arity: 2, Alone: clientGetName,
		Doc: command.NewDoc("Returns the name of the connection", "2.6.9", "connection", "O(1)")},
	{Name: "client|setname", Arity: 3, Alone: clientSetName,
		Doc: command.NewDoc("Names the connection", "2.6.9", "connection", "O(1)")},
	{Name: "client|setinfo", Arity: 4, Alone: clientSetInfo,
		Doc: command.NewDoc("Says which library speaks, and its version", "7.2.0", "connection", "O(1)")},
	{Name: "client|info", Arity: 2, Alone: clientInfo,
		Doc: command.NewDoc("Says what there is to know of the connection", "6.2.0", "connection", "O(1)")},
	{Name: "client|list", Arity: -2, Flags: command.Admin, Alone: clientList,
		Doc: command.NewDoc("Says what there is to know of all connections", "2.4.0", "connection", "O(n log n) for n connections")},
	{Name: "client|kill", Arity: -3, Flags: command.Admin, Alone: clientKill,
		Doc: command.NewDoc("Ends connections", "2.4.0", "connection", "O(n) for n connections")},
	{Name: "client|unblock", Arity: -3, Flags: command.Admin, Alone: clientUnblock,
		Doc: command.NewDoc("Ends the waiting of a client", "5.0.0", "connection", "O(1)")},
	{Name: "client|reply", Arity: 3, Flags: command.NoMulti, Alone: clientReply,
		Doc: command.NewDoc("Says which commands are answered", "3.2.0", "connection", "O(1)")},
	{Name: "client|no-evict", Arity: 3, Flags: command.Admin, Alone: clientNoEvict,
		Doc: command.NewDoc("Is noted; clients over the limits are disconnected all the same", "7.0.0", "connection", "O(1)")},
	{Name: "client|no-touch", Arity: 3, Alone: clientNoTouch,
		Doc: command.NewDoc("Is noted; nothing depends on when a key was used last", "7.2.0", "connection", "O(1)")},
	{Name: "client|getredir", Arity: 2, Alone: clientGetRedir,
		Doc: command.NewDoc("Returns -1: there is no tracking", "6.0.0", "connection", "O(1)")},
	{Name: "client|trackinginfo", Arity: 2, Alone: clientTrackingInfo,
		Doc: command.NewDoc("Says that there is no tracking", "6.2.0", "connection", "O(1)")},
	{Name: "client|help", Arity: 2, Alone: session.HelpOf("CLIENT", clientHelp...),
		Doc: command.NewDoc("Lists the subcommands", "5.0.0", "connection", "O(1)")},
}

var clientHelp = []string{
	"GETNAME", "    Return the name of the current connection.",
	"ID", "    Return the ID of the current connection.",
	"INFO", "    Return information about the current client connection.",
	"KILL <ip:port>", "    Kill connection made from <ip:port>.",
	"KILL <option> <value> [<option> <value> [...]]",
	"    Kill connections. Options: ID, ADDR, LADDR, TYPE, USER, SKIPME (YES|NO).",
	"LIST [TYPE (NORMAL|MASTER|REPLICA|PUBSUB)] [ID <id> [<id> ...]]", "    Return information about client connections.",
	"REPLY (ON|OFF|SKIP)", "    Control the replies sent to the current connection.",
	"SETNAME <name>", "    Assign the name <name> to the current connection.",
	"SETINFO (LIB-NAME|LIB-VER) <value>", "    Say which library uses the current connection.",
	"UNBLOCK <clientid> [TIMEOUT|ERROR]", "    Unblock the specified blocked client.",
	"NO-EVICT (ON|OFF)", "    Accepted, without effect.",
	"NO-TOUCH (ON|OFF)", "    Accepted, without effect.",
}

const errClientName = command.Refusal("ERR Client names cannot contain spaces, newlines or special characters.")

// LongestName is how many bytes the name of a client, and those of its library and version, may have: they stay in memory with the client.
const LongestName = 1 << 10

// ErrLongName refuses a name that is longer than LongestName.
const ErrLongName = command.Refusal("ERR names and versions of clients cannot be longer than 1024 bytes")

// printable reports whether a word may be part of a line of CLIENT LIST.
func printable(word []byte) bool {
	for _, c := range word {
		if c < '!' || c > '~' {
			return false
		}
	}
	return true
}

// nameAllowed returns why a client may not have a name, or nil.
func nameAllowed(name []byte) error {
	switch {
	case !printable(name):
		return errClientName
	case len(name) > LongestName:
		return ErrLongName
	}
	return nil
}

func clientID(c *session.Client, _ [][]byte) error {
	c.Out.Int(c.ID)
	return nil
}

func clientGetName(c *session.Client, _ [][]byte) error {
	if c.Name == "" {
		c.Out.Null()
	} else {
		c.Out.BulkString(c.Name)
	}
	return nil
}

func clientSetName(c *session.Client, a [][]byte) error {
	if err := nameAllowed(a[2]); err != nil {
		return err
	}
	c.Update(func() { c.Name = string(a[2]) })
	c.Out.OK()
	return nil
}

func clientSetInfo(c *session.Client, a [][]byte) error {
	field := &c.LibName
	switch {
	case command.Is(a[2], "lib-ver"):
		field = &c.LibVer
	case !command.Is(a[2], "lib-name"):
		return command.Refusal("ERR Unrecognized option '" + command.Clip(a[2], 128) + "'")
	}
	if !printable(a[3]) {
		return command.Refusal("ERR " + strings.ToLower(string(a[2])) + " cannot contain spaces, newlines or special characters.")
	}
	if len(a[3]) > LongestName {
		return ErrLongName
	}
	c.Update(func() { *field = string(a[3]) })
	c.Out.OK()
	return nil
}

// parseOnOff reads ON or OFF.
func parseOnOff(word []byte) (on bool, err error) {
	on = command.Is(word, "on")
	if !on && !command.Is(word, "off") {
		err = command.ErrSyntax
	}
	return on, err
}

func clientNoEvict(c *session.Client, a [][]byte) error { return note(c, &c.NoEvict, a[2]) }
func clientNoTouch(c *session.Client, a [][]byte) error { return note(c, &c.NoTouch, a[2]) }

// note sets a flag of the client that has no effect.
func note(c *session.Client, flag *bool, word []byte) error {
	on, err := parseOnOff(word)
	if err == nil {
		c.Update(func() { *flag = on })
		c.Out.OK()
	}
	return err
}

func clientGetRedir(c *session.Client, _ [][]byte) error {
	c.Out.Int(-1)
	return nil
}

func clientTrackingInfo(c *session.Client, _ [][]byte) error {
	w := &c.Out
	w.Map(3)
	w.BulkString("flags")
	w.Set(1)
	w.BulkString("off")
	w.BulkString("redirect")
	w.Int(-1)
	w.BulkString("prefixes")
	w.Array(0)
	return nil
}

// clientUnblock is CLIENT UNBLOCK id [TIMEOUT|ERROR].
func clientUnblock(c *session.Client, a [][]byte) error {
	cause := session.ErrTimedOut
	switch {
	case len(a) > 4:
		return command.Refusal("ERR unknown subcommand or wrong number of arguments for '" + command.Clip(a[1], 128) + "'. Try CLIENT HELP.")
	case len(a) == 4 && command.Is(a[3], "error"):
		cause = session.ErrUnblocked
	case len(a) == 4 && !command.Is(a[3], "timeout"):
		return command.Refusal("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR")
	}
	id, err := command.ParseInt[int64](a[2])
	if err != nil {
		return err
	}
	other := c.Host.Clients.Get(id)
	c.Out.Int(command.Bit(other != nil && other.Unblock(cause)))
	return nil
}

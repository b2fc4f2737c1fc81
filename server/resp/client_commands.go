package resp

import "strings"

// clientCommands are about connections: Redis CLIENT.
var clientCommands = []command{
	{name: "client|id", arity: 2, alone: clientID,
		doc: doc{"Returns the number of the connection", "5.0.0", "connection", "O(1)"}},
	{name: "client|getname", arity: 2, alone: clientGetName,
		doc: doc{"Returns the name of the connection", "2.6.9", "connection", "O(1)"}},
	{name: "client|setname", arity: 3, alone: clientSetName,
		doc: doc{"Names the connection", "2.6.9", "connection", "O(1)"}},
	{name: "client|setinfo", arity: 4, alone: clientSetInfo,
		doc: doc{"Says which library speaks, and its version", "7.2.0", "connection", "O(1)"}},
	{name: "client|info", arity: 2, alone: clientInfo,
		doc: doc{"Says what there is to know of the connection", "6.2.0", "connection", "O(1)"}},
	{name: "client|list", arity: -2, flags: admin, alone: clientList,
		doc: doc{"Says what there is to know of all connections", "2.4.0", "connection", "O(n log n) for n connections"}},
	{name: "client|kill", arity: -3, flags: admin, alone: clientKill,
		doc: doc{"Ends connections", "2.4.0", "connection", "O(n) for n connections"}},
	{name: "client|unblock", arity: -3, flags: admin, alone: clientUnblock,
		doc: doc{"Ends the waiting of a client", "5.0.0", "connection", "O(1)"}},
	{name: "client|reply", arity: 3, flags: noMulti, alone: clientReply,
		doc: doc{"Says which commands are answered", "3.2.0", "connection", "O(1)"}},
	{name: "client|no-evict", arity: 3, flags: admin, alone: clientNoEvict,
		doc: doc{"Is noted; clients over the limits are disconnected all the same", "7.0.0", "connection", "O(1)"}},
	{name: "client|no-touch", arity: 3, alone: clientNoTouch,
		doc: doc{"Is noted; nothing depends on when a key was used last", "7.2.0", "connection", "O(1)"}},
	{name: "client|getredir", arity: 2, alone: clientGetRedir,
		doc: doc{"Returns -1: there is no tracking", "6.0.0", "connection", "O(1)"}},
	{name: "client|trackinginfo", arity: 2, alone: clientTrackingInfo,
		doc: doc{"Says that there is no tracking", "6.2.0", "connection", "O(1)"}},
	{name: "client|help", arity: 2, alone: helpOf("CLIENT", clientHelp...),
		doc: doc{"Lists the subcommands", "5.0.0", "connection", "O(1)"}},
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

const errClientName = refusal("ERR Client names cannot contain spaces, newlines or special characters.")

// longestName is how many bytes a client's name may have, and those of its library and version: they are kept as long as it is there.
const longestName = 1 << 10

const errLongName = refusal("ERR names and versions of clients cannot be longer than 1024 bytes")

// printable says whether a word may be in a line of CLIENT LIST.
func printable(word []byte) bool {
	for _, c := range word {
		if c < '!' || c > '~' {
			return false
		}
	}
	return true
}

// nameAllowed says why a client may not be called so, or nil.
func nameAllowed(name []byte) error {
	switch {
	case !printable(name):
		return errClientName
	case len(name) > longestName:
		return errLongName
	}
	return nil
}

func clientID(c *client, _ [][]byte) error {
	c.out.Int(c.id)
	return nil
}

func clientGetName(c *client, _ [][]byte) error {
	if c.name == "" {
		c.out.Null()
	} else {
		c.out.BulkString(c.name)
	}
	return nil
}

func clientSetName(c *client, a [][]byte) error {
	if err := nameAllowed(a[2]); err != nil {
		return err
	}
	c.update(func() { c.name = string(a[2]) })
	c.out.OK()
	return nil
}

func clientSetInfo(c *client, a [][]byte) error {
	field := &c.libName
	switch {
	case is(a[2], "lib-ver"):
		field = &c.libVer
	case !is(a[2], "lib-name"):
		return refusal("ERR Unrecognized option '" + clip(a[2], 128) + "'")
	}
	if !printable(a[3]) {
		return refusal("ERR " + strings.ToLower(string(a[2])) + " cannot contain spaces, newlines or special characters.")
	}
	if len(a[3]) > longestName {
		return errLongName
	}
	c.update(func() { *field = string(a[3]) })
	c.out.OK()
	return nil
}

// parseOnOff reads ON or OFF.
func parseOnOff(word []byte) (on bool, err error) {
	on = is(word, "on")
	if !on && !is(word, "off") {
		err = errSyntax
	}
	return on, err
}

func clientNoEvict(c *client, a [][]byte) error { return note(c, &c.noEvict, a[2]) }
func clientNoTouch(c *client, a [][]byte) error { return note(c, &c.noTouch, a[2]) }

func note(c *client, what *bool, word []byte) error {
	on, err := parseOnOff(word)
	if err == nil {
		c.update(func() { *what = on })
		c.out.OK()
	}
	return err
}

func clientGetRedir(c *client, _ [][]byte) error {
	c.out.Int(-1)
	return nil
}

func clientTrackingInfo(c *client, _ [][]byte) error {
	w := &c.out
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

// clientUnblock is Redis CLIENT UNBLOCK id [TIMEOUT|ERROR].
func clientUnblock(c *client, a [][]byte) error {
	cause := errTimedOut
	switch {
	case len(a) > 4:
		return refusal("ERR unknown subcommand or wrong number of arguments for '" + clip(a[1], 128) + "'. Try CLIENT HELP.")
	case len(a) == 4 && is(a[3], "error"):
		cause = errUnblocked
	case len(a) == 4 && !is(a[3], "timeout"):
		return refusal("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR")
	}
	id, err := parseInt[int64](a[2])
	if err != nil {
		return err
	}
	other := c.host.clients.get(id)
	c.out.Int(number(other != nil && other.unblock(cause)))
	return nil
}

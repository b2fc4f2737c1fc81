package resp

import (
	"slices"
	"strings"

	"github.com/zrankdb/zrank/internal/glob"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// commandCommands say which commands there are, from the table: Redis COMMAND.
var commandCommands = []command{
	{name: "command", arity: -1, alone: commandAll, subs: subcommands([]command{
		{name: "command|count", arity: 2, alone: commandCount,
			doc: doc{"Returns how many commands there are", "2.8.13", "server", "O(1)"}},
		{name: "command|info", arity: -2, alone: commandInfo,
			doc: doc{"Describes commands", "2.8.13", "server", "O(commands)"}},
		{name: "command|docs", arity: -2, alone: commandDocs,
			doc: doc{"Says what commands are for", "7.0.0", "server", "O(commands)"}},
		{name: "command|list", arity: -2, alone: commandList,
			doc: doc{"Names commands", "7.0.0", "server", "O(commands)"}},
		{name: "command|getkeys", arity: -4, alone: commandGetKeys,
			doc: doc{"Returns the keys of a command", "2.8.13", "server", "O(words)"}},
		{name: "command|help", arity: 2, alone: helpOf("COMMAND", commandHelp...),
			doc: doc{"Lists the subcommands", "5.0.0", "server", "O(1)"}},
	}), doc: doc{"Describes all commands", "2.8.13", "server", "O(commands)"}},
}

var commandHelp = []string{
	"(no subcommand)", "    Return details about all commands.",
	"COUNT", "    Return the total number of commands in this server.",
	"LIST [FILTERBY (MODULE|ACLCAT|PATTERN) <value>]", "    Return a list of all commands in this server.",
	"INFO [<command-name> ...]", "    Return details about multiple commands.",
	"DOCS [<command-name> ...]", "    Return documentation details about multiple commands.",
	"GETKEYS <full-command>", "    Return the keys from a full command.",
}

func commandAll(c *client, _ [][]byte) error {
	c.out.Array(len(c.host.commands))
	for _, m := range c.host.commands.sorted() {
		describeCommand(&c.out, m)
	}
	return nil
}

func commandCount(c *client, _ [][]byte) error {
	c.out.Int(int64(len(c.host.commands)))
	return nil
}

func commandInfo(c *client, a [][]byte) error {
	if len(a) == 2 {
		return commandAll(c, a)
	}
	c.out.Array(len(a) - 2)
	for _, name := range a[2:] {
		if c.out.Over() != nil {
			break
		}
		if m := c.host.commands.named(name); m != nil {
			describeCommand(&c.out, m)
		} else {
			c.out.Null()
		}
	}
	return nil
}

// describeCommand writes what COMMAND INFO says of a command.
func describeCommand(w *wire.Writer, m *command) {
	first, last, step := m.keys.span()
	w.Array(10)
	w.BulkString(m.name)
	w.Int(int64(m.arity))
	statuses(w, flagNames(m))
	w.Int(int64(first))
	w.Int(int64(last))
	w.Int(int64(step))
	statuses(w, categories(m))
	w.Array(0) // tips
	keySpecs(w, m)
	w.Array(len(m.subs))
	for _, sub := range m.subs.sorted() {
		describeCommand(w, sub)
	}
}

func statuses(w *wire.Writer, list []string) {
	w.Set(len(list))
	for _, text := range list {
		w.Status(text)
	}
}

// commandDocs is what redis-cli shows while one types.
func commandDocs(c *client, a [][]byte) error {
	list := c.host.commands.sorted()
	if len(a) > 2 {
		list = nil
		for _, name := range a[2:] {
			if m := c.host.commands.named(name); m != nil {
				list = append(list, m)
			}
		}
	}
	c.out.Map(len(list))
	for _, m := range list {
		if c.out.Over() != nil {
			break
		}
		document(&c.out, m)
	}
	return nil
}

// document writes what COMMAND DOCS says of a command, its name first.
func document(w *wire.Writer, m *command) {
	pairs := [][2]string{{"summary", m.doc.summary}, {"group", m.doc.group}, {"complexity", m.doc.complexity}}
	if m.doc.since != "" { // else it is none of Redis's
		pairs = append(pairs, [2]string{"since", m.doc.since})
	}
	words := arguments(m)
	w.BulkString(m.name)
	w.Map(len(pairs) + int(number(len(words) > 0)+number(len(m.subs) > 0)))
	for _, pair := range pairs {
		w.BulkString(pair[0])
		w.BulkString(pair[1])
	}
	if len(words) > 0 {
		w.BulkString("arguments")
		w.Array(len(words))
		for _, word := range words {
			argument(w, word)
		}
	}
	if len(m.subs) > 0 {
		w.BulkString("subcommands")
		w.Map(len(m.subs))
		for _, sub := range m.subs.sorted() {
			document(w, sub)
		}
	}
}

// argument writes one word of a command's form: redis-cli shows its name.
func argument(w *wire.Writer, name string) {
	w.Map(2)
	w.BulkString("name")
	w.BulkString(name)
	w.BulkString("type")
	w.BulkString("string")
}

// commandList is Redis COMMAND LIST [FILTERBY MODULE name | ACLCAT category | PATTERN pattern]: names of commands and subcommands.
func commandList(c *client, a [][]byte) error {
	takes := func(*command) bool { return true }
	if len(a) > 2 {
		if len(a) != 5 || !is(a[2], "filterby") {
			return errSyntax
		}
		switch value := string(a[4]); {
		case is(a[3], "module"):
			takes = func(*command) bool { return false }
		case is(a[3], "aclcat"):
			takes = func(m *command) bool { return slices.Contains(categories(m), "@"+strings.ToLower(value)) }
		case is(a[3], "pattern"):
			pattern := glob.Compile(strings.ToLower(value))
			takes = func(m *command) bool { return pattern(m.name) }
		default:
			return errSyntax
		}
	}
	var names []string
	for _, m := range c.host.commands.sorted() {
		for _, some := range append([]*command{m}, m.subs.sorted()...) {
			if takes(some) {
				names = append(names, some.name)
			}
		}
	}
	c.out.Array(len(names))
	for _, name := range names {
		c.out.BulkString(name)
	}
	return nil
}

// commandGetKeys is Redis COMMAND GETKEYS.
func commandGetKeys(c *client, a [][]byte) error {
	m, err := c.host.commands.find(a[2:])
	if err != nil {
		if c.host.commands.look(a[2]) == nil {
			return refusal("ERR Invalid command specified")
		}
		return refusal("ERR Invalid number of arguments specified for command")
	}
	var found [][]byte
	m.keys.each(a[2:], func(key []byte) { found = append(found, key) })
	switch {
	case m.keys == (keys{}):
		return refusal("ERR The command has no key arguments")
	case len(found) == 0 || m.keys.num > 0 && len(found) == int(number(m.keys.first > 0)):
		return refusal("ERR Invalid arguments specified for command")
	}
	c.out.Array(len(found))
	for _, key := range found {
		c.out.Bulk(key)
	}
	return nil
}

package resp

import (
	"maps"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/internal/glob"
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

// inText returns the command, or subcommand, that a text names: "get", "client|id"; nil if there is none.
func (s *Server) inText(text []byte) *command {
	container, sub, two := strings.Cut(string(text), "|")
	m := look(s.commands, []byte(container))
	if m != nil && two {
		return look(m.subs, []byte(sub))
	}
	return m
}

// byName returns commands in the order of their names.
func byName(all map[string]*command) []*command {
	return slices.SortedFunc(maps.Values(all), func(a, b *command) int { return strings.Compare(a.name, b.name) })
}

func commandAll(c *client, _ [][]byte) error {
	c.out.Array(len(c.s.commands))
	for _, m := range byName(c.s.commands) {
		c.describeCommand(m)
	}
	return nil
}

func commandCount(c *client, _ [][]byte) error {
	c.out.Int(int64(len(c.s.commands)))
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
		if m := c.s.inText(name); m != nil {
			c.describeCommand(m)
		} else {
			c.out.Null()
		}
	}
	return nil
}

// describeCommand writes what COMMAND INFO says of a command.
func (c *client) describeCommand(m *command) {
	w := &c.out
	first, last, step := m.keys.span()
	w.Array(10)
	w.BulkString(m.name)
	w.Int(int64(m.arity))
	c.statuses(flagNames(m))
	w.Int(int64(first))
	w.Int(int64(last))
	w.Int(int64(step))
	c.statuses(categories(m))
	w.Array(0) // tips
	c.keySpecs(m)
	w.Array(len(m.subs))
	for _, sub := range byName(m.subs) {
		c.describeCommand(sub)
	}
}

func (c *client) statuses(list []string) {
	c.out.Set(len(list))
	for _, text := range list {
		c.out.Status(text)
	}
}

// span returns where keys stand that are at fixed places, as COMMAND INFO has it: the first, the last, and the step.
func (k keys) span() (first, last, step int) { return k.first, k.last, k.step }

// commandDocs is what redis-cli shows while one types.
func commandDocs(c *client, a [][]byte) error {
	list := byName(c.s.commands)
	if len(a) > 2 {
		list = nil
		for _, name := range a[2:] {
			if m := c.s.inText(name); m != nil {
				list = append(list, m)
			}
		}
	}
	c.out.Map(len(list))
	for _, m := range list {
		if c.out.Over() != nil {
			break
		}
		c.document(m)
	}
	return nil
}

// document writes what COMMAND DOCS says of a command, its name first.
func (c *client) document(m *command) {
	w := &c.out
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
			c.argument(word)
		}
	}
	if len(m.subs) > 0 {
		w.BulkString("subcommands")
		w.Map(len(m.subs))
		for _, sub := range byName(m.subs) {
			c.document(sub)
		}
	}
}

// argument writes one word of a command's form: redis-cli shows its name.
func (c *client) argument(name string) {
	w := &c.out
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
	for _, m := range byName(c.s.commands) {
		for _, some := range append([]*command{m}, byName(m.subs)...) {
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
	m, err := c.s.find(a[2:])
	if err != nil {
		if look(c.s.commands, a[2]) == nil {
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

package clientcmd

import (
	"slices"
	"strings"

	"github.com/zrankdb/zrank/internal/glob"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Introspection is COMMAND, which describes the commands of the table.
var Introspection = []session.Command{
	{Name: "command", Arity: -1, Alone: commandAll, Subs: session.Subcommands([]session.Command{
		{Name: "command|count", Arity: 2, Alone: commandCount,
			Doc: command.NewDoc("Returns how many commands there are", "2.8.13", "server", "O(1)")},
		{Name: "command|info", Arity: -2, Alone: commandInfo,
			Doc: command.NewDoc("Describes commands", "2.8.13", "server", "O(commands)")},
		{Name: "command|docs", Arity: -2, Alone: commandDocs,
			Doc: command.NewDoc("Says what commands are for", "7.0.0", "server", "O(commands)")},
		{Name: "command|list", Arity: -2, Alone: commandList,
			Doc: command.NewDoc("Names commands", "7.0.0", "server", "O(commands)")},
		{Name: "command|getkeys", Arity: -4, Alone: commandGetKeys,
			Doc: command.NewDoc("Returns the keys of a command", "2.8.13", "server", "O(words)")},
		{Name: "command|help", Arity: 2, Alone: session.HelpOf("COMMAND", commandHelp...),
			Doc: command.NewDoc("Lists the subcommands", "5.0.0", "server", "O(1)")},
	}), Doc: command.NewDoc("Describes all commands", "2.8.13", "server", "O(commands)")},
}

var commandHelp = []string{
	"(no subcommand)", "    Return details about all commands.",
	"COUNT", "    Return the total number of commands in this server.",
	"LIST [FILTERBY (MODULE|ACLCAT|PATTERN) <value>]", "    Return a list of all commands in this server.",
	"INFO [<command-name> ...]", "    Return details about multiple commands.",
	"DOCS [<command-name> ...]", "    Return documentation details about multiple commands.",
	"GETKEYS <full-command>", "    Return the keys from a full command.",
}

func commandAll(c *session.Client, _ [][]byte) error {
	c.Out.Array(len(c.Host.Commands))
	for _, m := range c.Host.Commands.Sorted() {
		describeCommand(&c.Out, m)
	}
	return nil
}

func commandCount(c *session.Client, _ [][]byte) error {
	c.Out.Int(int64(len(c.Host.Commands)))
	return nil
}

func commandInfo(c *session.Client, a [][]byte) error {
	if len(a) == 2 {
		return commandAll(c, a)
	}
	c.Out.Array(len(a) - 2)
	for _, name := range a[2:] {
		if c.Out.Over() != nil {
			break
		}
		if m := c.Host.Commands.Named(name); m != nil {
			describeCommand(&c.Out, m)
		} else {
			c.Out.Null()
		}
	}
	return nil
}

// describeCommand writes the entry of a command in COMMAND INFO.
func describeCommand(w *wire.Writer, m *session.Command) {
	w.Array(10)
	w.BulkString(m.Name)
	w.Int(int64(m.Arity))
	statuses(w, flagNames(m))
	w.Int(int64(m.Keys.First))
	w.Int(int64(m.Keys.Last))
	w.Int(int64(m.Keys.Step))
	statuses(w, categories(m))
	w.Array(0) // tips
	keySpecs(w, m)
	w.Array(len(m.Subs))
	for _, sub := range m.Subs.Sorted() {
		describeCommand(w, sub)
	}
}

// commandDocs is COMMAND DOCS, which redis-cli shows while a user types.
func commandDocs(c *session.Client, a [][]byte) error {
	list := c.Host.Commands.Sorted()
	if len(a) > 2 {
		list = nil
		for _, name := range a[2:] {
			if m := c.Host.Commands.Named(name); m != nil {
				list = append(list, m)
			}
		}
	}
	c.Out.Map(len(list))
	for _, m := range list {
		if c.Out.Over() != nil {
			break
		}
		document(&c.Out, m)
	}
	return nil
}

// document writes the entry of a command in COMMAND DOCS: its name, then a map.
func document(w *wire.Writer, m *session.Command) {
	pairs := [][2]string{{"summary", m.Doc.Summary}, {"group", m.Doc.Group}, {"complexity", m.Doc.Complexity}}
	if m.Doc.Since != "" { // else Redis lacks the command
		pairs = append(pairs, [2]string{"since", m.Doc.Since})
	}
	words := arguments(m)
	w.BulkString(m.Name)
	w.Map(len(pairs) + int(command.Bit(len(words) > 0)+command.Bit(len(m.Subs) > 0)))
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
	if len(m.Subs) > 0 {
		w.BulkString("subcommands")
		w.Map(len(m.Subs))
		for _, sub := range m.Subs.Sorted() {
			document(w, sub)
		}
	}
}

// argument writes an argument; redis-cli shows its token and its name.
func argument(w *wire.Writer, a command.Argument) {
	var flags []string
	if a.Optional {
		flags = append(flags, "optional")
	}
	if a.Multiple {
		flags = append(flags, "multiple")
	}
	if a.Multiple && a.Token != "" {
		flags = append(flags, "multiple_token")
	}
	w.Map(2 + int(command.Bit(a.Token != "")+command.Bit(flags != nil)+command.Bit(a.Arguments != nil)))
	w.BulkString("name")
	w.BulkString(a.Name)
	w.BulkString("type")
	w.BulkString(a.Type)
	if a.Token != "" {
		w.BulkString("token")
		w.BulkString(a.Token)
	}
	if flags != nil {
		w.BulkString("flags")
		statuses(w, flags)
	}
	if a.Arguments != nil {
		w.BulkString("arguments")
		w.Array(len(a.Arguments))
		for _, inner := range a.Arguments {
			argument(w, inner)
		}
	}
}

// commandList is COMMAND LIST [FILTERBY MODULE name | ACLCAT category | PATTERN pattern]: names of commands and subcommands.
func commandList(c *session.Client, a [][]byte) error {
	matches := func(*session.Command) bool { return true }
	if len(a) > 2 {
		if len(a) != 5 || !command.Is(a[2], "filterby") {
			return command.ErrSyntax
		}
		switch value := string(a[4]); {
		case command.Is(a[3], "module"):
			matches = func(*session.Command) bool { return false }
		case command.Is(a[3], "aclcat"):
			matches = func(m *session.Command) bool { return slices.Contains(categories(m), "@"+strings.ToLower(value)) }
		case command.Is(a[3], "pattern"):
			pattern := glob.Compile(strings.ToLower(value))
			matches = func(m *session.Command) bool { return pattern(m.Name) }
		default:
			return command.ErrSyntax
		}
	}
	var names []string
	for _, m := range c.Host.Commands.Sorted() {
		for _, each := range append([]*session.Command{m}, m.Subs.Sorted()...) {
			if matches(each) {
				names = append(names, each.Name)
			}
		}
	}
	c.Out.Array(len(names))
	for _, name := range names {
		c.Out.BulkString(name)
	}
	return nil
}

// commandGetKeys is COMMAND GETKEYS.
func commandGetKeys(c *session.Client, a [][]byte) error {
	m, err := c.Host.Commands.Find(a[2:])
	if err != nil {
		if c.Host.Commands.Lookup(a[2]) == nil {
			return command.Refusal("ERR Invalid command specified")
		}
		return command.Refusal("ERR Invalid number of arguments specified for command")
	}
	var found [][]byte
	m.Keys.Each(a[2:], func(key []byte) { found = append(found, key) })
	switch {
	case m.Keys == (command.Keys{}):
		return command.Refusal("ERR The command has no key arguments")
	case len(found) == 0 || m.Keys.Num > 0 && len(found) == int(command.Bit(m.Keys.First > 0)):
		return command.Refusal("ERR Invalid arguments specified for command")
	}
	c.Out.Array(len(found))
	for _, key := range found {
		c.Out.Bulk(key)
	}
	return nil
}

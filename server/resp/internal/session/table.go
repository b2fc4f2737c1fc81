package session

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// NewTable returns the commands of some families. The table counts the calls of each, apart from other tables.
func NewTable(families ...[]Command) Table {
	all := Table{}
	for _, family := range families {
		for _, m := range family {
			all[m.Name] = m.counted()
		}
	}
	return all
}

// counted returns a copy of a row with its own count of calls.
func (m *Command) counted() *Command {
	own := *m
	own.Calls = new(atomic.Int64)
	if m.Subs == nil {
		return &own
	}
	own.Subs = Table{}
	for name, sub := range m.Subs {
		own.Subs[name] = sub.counted()
	}
	return &own
}

// Subcommands returns commands whose names have two words, by their second word.
func Subcommands(list []Command) Table {
	subs := Table{}
	for i := range list {
		_, name, _ := strings.Cut(list[i].Name, "|")
		subs[name] = &list[i]
	}
	return subs
}

// HelpOf returns a command that lists subcommands, a line each, as Redis lays them out.
func HelpOf(name string, lines ...string) func(*Client, [][]byte) error {
	return func(c *Client, _ [][]byte) error {
		c.Out.Array(len(lines) + 3)
		c.Out.Status(name + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:")
		for _, line := range lines {
			c.Out.Status(line)
		}
		c.Out.Status("HELP")
		c.Out.Status("    Prints this help.")
		return nil
	}
}

// Find returns the command of a request, or a refusal. It does not allocate when it finds one.
func (t Table) Find(a [][]byte) (*Command, error) {
	m := t.Lookup(a[0])
	if m == nil {
		return nil, unknownCommand(a)
	}
	if m.Subs == nil {
		if !m.takes(len(a)) {
			return nil, command.ErrArity(m.Name)
		}
		return m, nil
	}
	if len(a) < 2 {
		if m.Alone != nil {
			return m, nil
		}
		return nil, command.ErrArity(m.Name)
	}
	sub := m.Subs.Lookup(a[1])
	if sub == nil {
		return nil, command.Refusal("ERR unknown subcommand '" + command.Clip(a[1], 128) + "'. Try " + command.Upper(m.Name) + " HELP.")
	}
	if !sub.takes(len(a)) {
		return nil, command.ErrArity(sub.Name)
	}
	return sub, nil
}

// Lookup returns the command of a name in any case, or nil.
func (t Table) Lookup(name []byte) *Command {
	var lower [32]byte
	if len(name) > len(lower) {
		return nil
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return t[string(lower[:len(name)])]
}

// unknownCommand returns Redis's refusal of an unknown command: up to 128 bytes of the name and of the words.
func unknownCommand(a [][]byte) command.Refusal {
	text := ""
	for _, word := range a[1:] {
		if len(text) >= 128 {
			break
		}
		text += "'" + command.Clip(word, 128-len(text)) + "' "
	}
	return command.Refusal("ERR unknown command '" + command.Clip(a[0], 128) + "', with args beginning with: " + text)
}

// All returns all commands, those of two words too, by name.
func (t Table) All() []*Command {
	var list []*Command
	for _, m := range t {
		if m.Subs == nil {
			list = append(list, m)
		}
		list = slices.AppendSeq(list, maps.Values(m.Subs))
	}
	slices.SortFunc(list, func(a, b *Command) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Named returns the command or subcommand of a name such as "get" or "client|id", or nil.
func (t Table) Named(text []byte) *Command {
	container, sub, two := strings.Cut(string(text), "|")
	m := t.Lookup([]byte(container))
	if m != nil && two {
		return m.Subs.Lookup([]byte(sub))
	}
	return m
}

// Sorted returns the commands, without those of two words, by name.
func (t Table) Sorted() []*Command {
	return slices.SortedFunc(maps.Values(t), func(a, b *Command) int { return strings.Compare(a.Name, b.Name) })
}

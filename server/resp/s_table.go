package resp

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
)

// table is the commands by name.
type table map[string]*command

// newTable returns the commands of some families, for one server: it counts the calls of each.
func newTable(families ...[]command) table {
	all := table{}
	for _, family := range families {
		for _, m := range family {
			all[m.name] = m.counted()
		}
	}
	return all
}

// counted returns a copy of a row with a count of its own.
func (m *command) counted() *command {
	own := *m
	own.calls = new(atomic.Int64)
	if m.subs == nil {
		return &own
	}
	own.subs = table{}
	for name, sub := range m.subs {
		own.subs[name] = sub.counted()
	}
	return &own
}

// subcommands returns commands whose names have two words by the second.
func subcommands(list []command) table {
	subs := table{}
	for i := range list {
		_, name, _ := strings.Cut(list[i].name, "|")
		subs[name] = &list[i]
	}
	return subs
}

// helpOf answers what the subcommands of a command are, a line each, as Redis lays it out.
func helpOf(name string, lines ...string) func(*client, [][]byte) error {
	return func(c *client, _ [][]byte) error {
		c.out.Array(len(lines) + 3)
		c.out.Status(name + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:")
		for _, line := range lines {
			c.out.Status(line)
		}
		c.out.Status("HELP")
		c.out.Status("    Prints this help.")
		return nil
	}
}

// find returns the command of a request, and its name, or why there is none. It allocates nothing when it finds one.
func (t table) find(a [][]byte) (*command, error) {
	m := t.look(a[0])
	if m == nil {
		return nil, unknownCommand(a)
	}
	if m.subs == nil {
		if !m.takes(len(a)) {
			return nil, errArity(m.name)
		}
		return m, nil
	}
	if len(a) < 2 {
		if m.alone != nil {
			return m, nil
		}
		return nil, errArity(m.name)
	}
	sub := m.subs.look(a[1])
	if sub == nil {
		return nil, refusal("ERR unknown subcommand '" + clip(a[1], 128) + "'. Try " + upper(m.name) + " HELP.")
	}
	if !sub.takes(len(a)) {
		return nil, errArity(sub.name)
	}
	return sub, nil
}

// look finds a command by a name in any case.
func (t table) look(name []byte) *command {
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

// unknownCommand says what was asked for, as Redis does: up to 128 bytes of the name and of the words.
func unknownCommand(a [][]byte) refusal {
	text := ""
	for _, word := range a[1:] {
		if len(text) >= 128 {
			break
		}
		text += "'" + clip(word, 128-len(text)) + "' "
	}
	return refusal("ERR unknown command '" + clip(a[0], 128) + "', with args beginning with: " + text)
}

// all returns all commands, those with two words too, by name.
func (t table) all() []*command {
	var list []*command
	for _, m := range t {
		if m.subs == nil {
			list = append(list, m)
		}
		list = slices.AppendSeq(list, maps.Values(m.subs))
	}
	slices.SortFunc(list, func(a, b *command) int { return strings.Compare(a.name, b.name) })
	return list
}

// named returns the command, or subcommand, that a text names: "get", "client|id"; nil if there is none.
func (t table) named(text []byte) *command {
	container, sub, two := strings.Cut(string(text), "|")
	m := t.look([]byte(container))
	if m != nil && two {
		return m.subs.look([]byte(sub))
	}
	return m
}

// sorted returns the commands, without those of two words, by name.
func (t table) sorted() []*command {
	return slices.SortedFunc(maps.Values(t), func(a, b *command) int { return strings.Compare(a.name, b.name) })
}

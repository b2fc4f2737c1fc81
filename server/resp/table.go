package resp

import (
	"strings"
	"sync/atomic"
)

// tables are the commands, by family. Each family is a file of its own.
var tables = [][]command{
	connectionCommands,
	commandCommands,
	transactionCommands,
	sortedSetCommands,
	genericCommands,
	stringCommands,
	setCommands,
	serverCommands,
	boardCommands,
}

// commandTable returns the commands by name, for one server: it counts how often each is asked for.
func commandTable() map[string]*command {
	all := map[string]*command{}
	for _, table := range tables {
		for _, m := range table {
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
	own.subs = map[string]*command{}
	for name, sub := range m.subs {
		own.subs[name] = sub.counted()
	}
	return &own
}

// subcommands returns commands whose names have two words by the second.
func subcommands(list []command) map[string]*command {
	subs := map[string]*command{}
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

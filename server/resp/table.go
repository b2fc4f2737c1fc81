package resp

import "strings"

// tables are the commands, by family. Each family is a file of its own.
var tables = [][]command{connectionCommands, transactionCommands, genericCommands, stringCommands, setCommands, serverCommands}

// commandTable returns the commands by name.
func commandTable() map[string]*command {
	all := map[string]*command{}
	for _, table := range tables {
		for i := range table {
			m := &table[i]
			all[m.name] = m
		}
	}
	return all
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

package resp

// tables are the commands, by family. Each family is a file of its own.
var tables = [][]command{connectionCommands, transactionCommands, boardCommands}

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

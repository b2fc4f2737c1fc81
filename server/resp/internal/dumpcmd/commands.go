package dumpcmd

import (
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// Commands are DUMP, RESTORE and MIGRATE.
var Commands = []session.Command{
	{Name: "dump", Arity: 2, Flags: command.ReadOnly, Keys: command.OneKey, Tx: dump,
		Doc: command.NewDoc("Returns the value of a key as bytes for RESTORE", "2.6.0", "generic", "O(size of the value)")},
	{Name: "restore", Arity: -4, Flags: command.Write | command.DenyOOM | command.Dangerous, Keys: command.OneKey, Tx: restoreTx, Alone: restoreAlone,
		Doc: command.NewDoc("Gives a key the value that DUMP has returned", "2.6.0", "generic", "O(size of the value); O(n log n) for a sorted set")},
	{Name: "migrate", Arity: -6, Flags: command.Write | command.Movable | command.Dangerous | command.Remote | command.NoMulti, Keys: command.Keys{First: 3, Last: 3, Step: 1}, Alone: migrate,
		Doc: command.NewDoc("Moves or copies keys to another server", "2.6.0", "generic", "O(size of the values)")},
}

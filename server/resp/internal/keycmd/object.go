package keycmd

import (
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

var objectCommands = []session.Command{
	{Name: "object|encoding", Arity: 3, Flags: command.ReadOnly, Keys: command.SubKey, Tx: objectEncoding,
		Doc: command.NewDoc("Returns what a key's value is kept in: listpack or skiplist of a sorted set", "2.2.3", "generic", "O(1)")},
	{Name: "object|refcount", Arity: 3, Flags: command.ReadOnly, Keys: command.SubKey, Tx: objectRefcount,
		Doc: command.NewDoc("Returns 1, or of a small integer what Redis does", "2.2.3", "generic", "O(1)")},
	{Name: "object|idletime", Arity: 3, Flags: command.ReadOnly, Keys: command.SubKey, Tx: objectIdletime,
		Doc: command.NewDoc("Returns 0: it is not known when a key was last used", "2.2.3", "generic", "O(1)")},
	{Name: "object|freq", Arity: 3, Flags: command.ReadOnly, Keys: command.SubKey, Tx: objectFreq,
		Doc: command.NewDoc("Refused: it is not known how often a key is used", "4.0.0", "generic", "O(1)")},
	{Name: "object|help", Arity: 2, Alone: session.HelpOf("OBJECT", "ENCODING <key>", "    What the value of a key is kept in.",
		"FREQ <key>", "    Not known.", "IDLETIME <key>", "    Not known: 0.", "REFCOUNT <key>", "    1, or 2147483647 of a small integer."),
		Doc: command.NewDoc("Says what OBJECT can do", "6.2.0", "generic", "O(1)")},
}

var memoryCommands = []session.Command{
	{Name: "memory|usage", Arity: -3, Flags: command.ReadOnly, Keys: command.SubKey, Tx: memoryUsage,
		Doc: command.NewDoc("Returns how many bytes of memory a key takes, about", "4.0.0", "server", "O(1)")},
	{Name: "memory|help", Arity: 2, Alone: session.HelpOf("MEMORY", "USAGE <key> [SAMPLES <count>]", "    About how many bytes of memory a key takes. Nothing is sampled."),
		Doc: command.NewDoc("Says what MEMORY can do", "4.0.0", "server", "O(1)")},
}

// aboutValue returns a command that answers from the value of a key, or null without one.
func aboutValue(answer func(t *session.Txn, name string, h keyspace.Value)) func(t *session.Txn, a [][]byte) error {
	return func(t *session.Txn, a [][]byte) error {
		name, h, err := t.Lookup(a[2])
		switch {
		case err != nil:
			return err
		case h.Kind == keyspace.None:
			t.Out.Null()
		default:
			answer(t, name, h)
		}
		return nil
	}
}

var (
	objectEncoding = aboutValue(func(t *session.Txn, _ string, h keyspace.Value) { t.Out.BulkString(h.Encoding()) })
	objectRefcount = aboutValue(func(t *session.Txn, _ string, h keyspace.Value) { t.Out.Int(h.Refcount()) })
	sizeInMemory   = aboutValue(func(t *session.Txn, name string, h keyspace.Value) { t.Out.Int(int64(h.Size(name))) })
)

func objectIdletime(t *session.Txn, a [][]byte) error {
	exists, err := t.Exists(t.Name(a[2]))
	switch {
	case err != nil:
		return err
	case !exists:
		t.Out.Null()
	default:
		t.Out.Int(0)
	}
	return nil
}

func objectFreq(t *session.Txn, a [][]byte) error {
	exists, err := t.Exists(t.Name(a[2]))
	if err != nil {
		return err
	}
	if exists {
		return command.Refusal("ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching " +
			"between policies at runtime LRU and LFU data will take some time to adjust.")
	}
	t.Out.Null()
	return nil
}

func memoryUsage(t *session.Txn, a [][]byte) error {
	for i := 3; i < len(a); i += 2 {
		if !command.Is(a[i], "samples") || i+1 == len(a) {
			return command.ErrSyntax
		}
		n, err := command.ParseInt[int64](a[i+1])
		if err != nil {
			return err
		}
		if n < 0 {
			return command.ErrSyntax
		}
	}
	return sizeInMemory(t, a)
}

package keycmd

import (
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// Commands are the commands on keys, whatever their values.
var Commands = []session.Command{
	{Name: "exists", Arity: -2, Flags: command.ReadOnly | command.Fast, Keys: command.AllKeys, Tx: exists,
		Doc: command.NewDoc("Counts the keys that exist; one named twice counts twice", "1.0.0", "generic", "O(keys)")},
	{Name: "touch", Arity: -2, Flags: command.ReadOnly | command.Fast, Keys: command.AllKeys, Tx: exists,
		Doc: command.NewDoc("Counts the keys that exist", "3.2.1", "generic", "O(keys)")},
	{Name: "type", Arity: 2, Flags: command.ReadOnly | command.Fast, Keys: command.OneKey, Tx: typeOf,
		Doc: command.NewDoc("Returns what a key holds: zset, set, string or none", "1.0.0", "generic", "O(1)")},
	{Name: "del", Arity: -2, Flags: command.Write, Keys: command.AllKeys, Tx: del,
		Doc: command.NewDoc("Deletes keys", "1.0.0", "generic", "O(keys)")},
	{Name: "unlink", Arity: -2, Flags: command.Write | command.Fast, Keys: command.AllKeys, Tx: del,
		Doc: command.NewDoc("Deletes keys", "4.0.0", "generic", "O(keys)")},
	{Name: "rename", Arity: 3, Flags: command.Write, Keys: command.TwoKeys, Tx: rename,
		Doc: command.NewDoc("Gives what a key holds another key", "1.0.0", "generic", "O(1)")},
	{Name: "renamenx", Arity: 3, Flags: command.Write | command.Fast, Keys: command.TwoKeys, Tx: renamenx,
		Doc: command.NewDoc("Gives what a key holds another key that holds nothing", "1.0.0", "generic", "O(1)")},
	{Name: "copy", Arity: -3, Flags: command.Write | command.DenyOOM, Keys: command.TwoKeys, Other: copyTo, Tx: copyKey,
		Doc: command.NewDoc("Copies what a key holds", "6.2.0", "generic", "O(members)")},

	{Name: "expire", Arity: -3, Flags: command.Write | command.Fast, Keys: command.OneKey, Tx: expireBy(keyspace.Seconds, keyspace.FromNow),
		Doc: command.NewDoc("Makes a key vanish after so many seconds", "1.0.0", "generic", "O(1)")},
	{Name: "pexpire", Arity: -3, Flags: command.Write | command.Fast, Keys: command.OneKey, Tx: expireBy(keyspace.Milliseconds, keyspace.FromNow),
		Doc: command.NewDoc("Makes a key vanish after so many milliseconds", "2.6.0", "generic", "O(1)")},
	{Name: "expireat", Arity: -3, Flags: command.Write | command.Fast, Keys: command.OneKey, Tx: expireBy(keyspace.Seconds, keyspace.From1970),
		Doc: command.NewDoc("Makes a key vanish at a second after 1970", "1.2.0", "generic", "O(1)")},
	{Name: "pexpireat", Arity: -3, Flags: command.Write | command.Fast, Keys: command.OneKey, Tx: expireBy(keyspace.Milliseconds, keyspace.From1970),
		Doc: command.NewDoc("Makes a key vanish at a millisecond after 1970", "2.6.0", "generic", "O(1)")},
	{Name: "ttl", Arity: 2, Flags: command.ReadOnly | command.Fast, Keys: command.OneKey, Tx: expiryOf(keyspace.Seconds, keyspace.FromNow),
		Doc: command.NewDoc("Returns in how many seconds a key vanishes", "1.0.0", "generic", "O(1)")},
	{Name: "pttl", Arity: 2, Flags: command.ReadOnly | command.Fast, Keys: command.OneKey, Tx: expiryOf(keyspace.Milliseconds, keyspace.FromNow),
		Doc: command.NewDoc("Returns in how many milliseconds a key vanishes", "2.6.0", "generic", "O(1)")},
	{Name: "expiretime", Arity: 2, Flags: command.ReadOnly | command.Fast, Keys: command.OneKey, Tx: expiryOf(keyspace.Seconds, keyspace.From1970),
		Doc: command.NewDoc("Returns at which second after 1970 a key vanishes", "7.0.0", "generic", "O(1)")},
	{Name: "pexpiretime", Arity: 2, Flags: command.ReadOnly | command.Fast, Keys: command.OneKey, Tx: expiryOf(keyspace.Milliseconds, keyspace.From1970),
		Doc: command.NewDoc("Returns at which millisecond after 1970 a key vanishes", "7.0.0", "generic", "O(1)")},
	{Name: "persist", Arity: 2, Flags: command.Write | command.Fast, Keys: command.OneKey, Tx: persist,
		Doc: command.NewDoc("Makes a key stay for good", "2.2.0", "generic", "O(1)")},

	{Name: "keys", Arity: 2, Flags: command.ReadOnly | command.Whole, Alone: keysAlone, Tx: keysTx,
		Doc: command.NewDoc("Returns the keys that match a pattern", "1.0.0", "generic", "O(all keys)")},
	{Name: "scan", Arity: -2, Flags: command.ReadOnly | command.Whole, Alone: scanAlone, Tx: scanTx,
		Doc: command.NewDoc("Walks the keys, some at a time", "2.8.0", "generic", "O(keys returned + all keys/256)")},
	{Name: "randomkey", Arity: 1, Flags: command.ReadOnly | command.Whole, Alone: randomAlone, Tx: randomTx,
		Doc: command.NewDoc("Returns a key by chance", "1.0.0", "generic", "O(all keys/256)")},
	{Name: "dbsize", Arity: 1, Flags: command.ReadOnly | command.Fast | command.Whole, Alone: dbsizeAlone, Tx: dbsizeTx,
		Doc: command.NewDoc("Returns the number of keys of the database", "1.0.0", "server", "O(plain values); O(all keys) if other databases are in use")},
	{Name: "flushdb", Arity: -1, Flags: command.Write | command.Whole, Alone: flushdbAlone, Tx: flushdbTx,
		Doc: command.NewDoc("Deletes all keys of the database", "1.0.0", "server", "O(all keys)")},
	{Name: "flushall", Arity: -1, Flags: command.Write | command.Whole, Alone: flushallAlone, Tx: flushallTx,
		Doc: command.NewDoc("Deletes all keys of all databases", "1.0.0", "server", "O(all keys)")},
	{Name: "memory", Arity: -2, Subs: session.Subcommands(memoryCommands),
		Doc: command.NewDoc("How many bytes of memory a key takes", "4.0.0", "server", "O(1)")},
	{Name: "object", Arity: -2, Subs: session.Subcommands(objectCommands),
		Doc: command.NewDoc("What a key's value is kept in", "2.2.3", "generic", "O(1)")},
}

func exists(t *session.Txn, a [][]byte) error { return countKeys(t, a, t.Exists) }

// countKeys answers with the number of keys that do says yes to.
func countKeys(t *session.Txn, a [][]byte, do func(name string) (bool, error)) error {
	var n int64
	for _, key := range a[1:] {
		yes, err := do(t.Name(key))
		if err != nil {
			return err
		}
		n += command.Bit(yes)
	}
	t.Out.Int(n)
	return nil
}

func typeOf(t *session.Txn, a [][]byte) error {
	h, err := t.Get(t.Name(a[1]))
	if err == nil {
		t.Out.Status(keyspace.TypeNames[h.Kind])
	}
	return err
}

func del(t *session.Txn, a [][]byte) error {
	for _, key := range a[1:] {
		if err := t.Changeable(t.Name(key)); err != nil {
			return err
		}
	}
	return countKeys(t, a, t.Drop)
}

func rename(t *session.Txn, a [][]byte) error {
	from, to := t.Name(a[1]), t.Name(a[2])
	exists, err := t.Exists(from)
	switch {
	case err != nil:
		return err
	case !exists:
		return command.ErrNoKey
	case from != to:
		if err := t.Rename(from, to); err != nil {
			return err
		}
	}
	t.Out.OK()
	return nil
}

func renamenx(t *session.Txn, a [][]byte) error {
	from, to := t.Name(a[1]), t.Name(a[2])
	exists, err := t.Exists(from)
	if err != nil {
		return err
	}
	if !exists {
		return command.ErrNoKey
	}
	taken, err := t.Exists(to)
	if err == nil && !taken {
		err = t.Rename(from, to)
	}
	if err == nil {
		t.Out.Int(command.Bit(!taken))
	}
	return err
}

// copyOptions are the options of COPY.
type copyOptions struct {
	db      int
	replace bool
}

func parseCopy(a [][]byte, db, databases int) (o copyOptions, err error) {
	o.db = db
	for i := 3; i < len(a); i++ {
		switch {
		case command.Is(a[i], "replace"):
			o.replace = true
		case command.Is(a[i], "db") && i+1 < len(a):
			i++
			if o.db, err = command.ParseDatabase(a[i], databases); err != nil {
				return o, err
			}
		default:
			return o, command.ErrSyntax
		}
	}
	return o, nil
}

// copyTo returns the destination of a COPY that names its database.
func copyTo(a [][]byte) (db int, key []byte, ok bool) {
	o, err := parseCopy(a, -1, keyspace.MaxDatabases)
	if err != nil || o.db < 0 {
		return 0, nil, false
	}
	return o.db, a[2], true
}

func copyKey(t *session.Txn, a [][]byte) error {
	o, err := parseCopy(a, t.DB, t.Client.Host.Config.Databases)
	if err != nil {
		return err
	}
	from, to := t.Name(a[1]), t.Client.Names.Of(o.db, a[2])
	if from == to {
		return command.Refusal("ERR source and destination objects are the same")
	}
	exists, err := t.Exists(from)
	if err != nil {
		return err
	}
	taken, err := t.Exists(to)
	if err != nil {
		return err
	}
	done := exists && (o.replace || !taken)
	if done {
		if err := t.Copy(from, to); err != nil {
			return err
		}
	}
	t.Out.Int(command.Bit(done))
	return nil
}

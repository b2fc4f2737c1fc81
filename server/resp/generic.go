package resp

// genericCommands are about keys, whatever they hold.
var genericCommands = []command{
	{name: "exists", arity: -2, flags: readonly | fast, keys: allKeys, tx: exists,
		doc: doc{"Counts the keys that exist; one named twice counts twice", "1.0.0", "generic", "O(keys)"}},
	{name: "touch", arity: -2, flags: readonly | fast, keys: allKeys, tx: exists,
		doc: doc{"Counts the keys that exist", "3.2.1", "generic", "O(keys)"}},
	{name: "type", arity: 2, flags: readonly | fast, keys: oneKey, tx: typeOf,
		doc: doc{"Returns what a key holds: zset, set, string or none", "1.0.0", "generic", "O(1)"}},
	{name: "del", arity: -2, flags: write, keys: allKeys, tx: del,
		doc: doc{"Deletes keys", "1.0.0", "generic", "O(keys)"}},
	{name: "unlink", arity: -2, flags: write | fast, keys: allKeys, tx: del,
		doc: doc{"Deletes keys", "4.0.0", "generic", "O(keys)"}},
	{name: "rename", arity: 3, flags: write, keys: twoKeys, tx: rename,
		doc: doc{"Gives what a key holds another key", "1.0.0", "generic", "O(1)"}},
	{name: "renamenx", arity: 3, flags: write | fast, keys: twoKeys, tx: renamenx,
		doc: doc{"Gives what a key holds another key that holds nothing", "1.0.0", "generic", "O(1)"}},
	{name: "copy", arity: -3, flags: write | denyoom, keys: twoKeys, other: copyTo, tx: copyKey,
		doc: doc{"Copies what a key holds", "6.2.0", "generic", "O(members)"}},

	{name: "expire", arity: -3, flags: write | fast, keys: oneKey, tx: expireBy(seconds, fromNow),
		doc: doc{"Makes a key vanish after so many seconds", "1.0.0", "generic", "O(1)"}},
	{name: "pexpire", arity: -3, flags: write | fast, keys: oneKey, tx: expireBy(milliseconds, fromNow),
		doc: doc{"Makes a key vanish after so many milliseconds", "2.6.0", "generic", "O(1)"}},
	{name: "expireat", arity: -3, flags: write | fast, keys: oneKey, tx: expireBy(seconds, from1970),
		doc: doc{"Makes a key vanish at a second after 1970", "1.2.0", "generic", "O(1)"}},
	{name: "pexpireat", arity: -3, flags: write | fast, keys: oneKey, tx: expireBy(milliseconds, from1970),
		doc: doc{"Makes a key vanish at a millisecond after 1970", "2.6.0", "generic", "O(1)"}},
	{name: "ttl", arity: 2, flags: readonly | fast, keys: oneKey, tx: expiryOf(seconds, fromNow),
		doc: doc{"Returns in how many seconds a key vanishes", "1.0.0", "generic", "O(1)"}},
	{name: "pttl", arity: 2, flags: readonly | fast, keys: oneKey, tx: expiryOf(milliseconds, fromNow),
		doc: doc{"Returns in how many milliseconds a key vanishes", "2.6.0", "generic", "O(1)"}},
	{name: "expiretime", arity: 2, flags: readonly | fast, keys: oneKey, tx: expiryOf(seconds, from1970),
		doc: doc{"Returns at which second after 1970 a key vanishes", "7.0.0", "generic", "O(1)"}},
	{name: "pexpiretime", arity: 2, flags: readonly | fast, keys: oneKey, tx: expiryOf(milliseconds, from1970),
		doc: doc{"Returns at which millisecond after 1970 a key vanishes", "7.0.0", "generic", "O(1)"}},
	{name: "persist", arity: 2, flags: write | fast, keys: oneKey, tx: persist,
		doc: doc{"Makes a key stay for good", "2.2.0", "generic", "O(1)"}},

	{name: "keys", arity: 2, flags: readonly | whole, alone: keysAlone, tx: keysTx,
		doc: doc{"Returns the keys that match a pattern", "1.0.0", "generic", "O(all keys)"}},
	{name: "scan", arity: -2, flags: readonly | whole, alone: scanAlone, tx: scanTx,
		doc: doc{"Walks the keys, some at a time", "2.8.0", "generic", "O(keys returned + all keys/256)"}},
	{name: "randomkey", arity: 1, flags: readonly | whole, alone: randomAlone, tx: randomTx,
		doc: doc{"Returns a key by chance", "1.0.0", "generic", "O(all keys/256)"}},
	{name: "dbsize", arity: 1, flags: readonly | fast | whole, alone: dbsizeAlone, tx: dbsizeTx,
		doc: doc{"Returns the number of keys of the database", "1.0.0", "server", "O(plain values); O(all keys) if other databases are in use"}},
	{name: "flushdb", arity: -1, flags: write | whole, alone: flushdbAlone, tx: flushdbTx,
		doc: doc{"Deletes all keys of the database", "1.0.0", "server", "O(all keys)"}},
	{name: "flushall", arity: -1, flags: write | whole, alone: flushallAlone, tx: flushallTx,
		doc: doc{"Deletes all keys of all databases", "1.0.0", "server", "O(all keys)"}},
	{name: "memory", arity: -2, subs: subcommands(memoryCommands),
		doc: doc{"How many bytes of memory a key takes", "4.0.0", "server", "O(1)"}},
	{name: "object", arity: -2, subs: subcommands(objectCommands),
		doc: doc{"What a key's value is kept in", "2.2.3", "generic", "O(1)"}},
}

func exists(t *txn, a [][]byte) error {
	var n int64
	for _, key := range a[1:] {
		there, err := t.exists(t.name(key))
		if err != nil {
			return err
		}
		n += number(there)
	}
	t.w.Int(n)
	return nil
}

func typeOf(t *txn, a [][]byte) error {
	h, err := t.look(t.name(a[1]))
	if err == nil {
		t.w.Status(typeNames[h.kind])
	}
	return err
}

func del(t *txn, a [][]byte) error {
	for _, key := range a[1:] {
		if err := t.changeable(t.name(key)); err != nil {
			return err
		}
	}
	var n int64
	for _, key := range a[1:] {
		had, err := t.drop(t.name(key))
		if err != nil {
			return err
		}
		n += number(had)
	}
	t.w.Int(n)
	return nil
}

func rename(t *txn, a [][]byte) error {
	from, to := t.name(a[1]), t.name(a[2])
	there, err := t.exists(from)
	switch {
	case err != nil:
		return err
	case !there:
		return errNoKey
	case from != to:
		if err := t.rename(from, to); err != nil {
			return err
		}
	}
	t.w.OK()
	return nil
}

func renamenx(t *txn, a [][]byte) error {
	from, to := t.name(a[1]), t.name(a[2])
	there, err := t.exists(from)
	if err != nil {
		return err
	}
	if !there {
		return errNoKey
	}
	taken, err := t.exists(to)
	if err == nil && !taken {
		err = t.rename(from, to)
	}
	if err == nil {
		t.w.Int(number(!taken))
	}
	return err
}

// copyOptions are those of COPY.
type copyOptions struct {
	db      int
	replace bool
}

func parseCopy(a [][]byte, db, databases int) (o copyOptions, err error) {
	o.db = db
	for i := 3; i < len(a); i++ {
		switch {
		case is(a[i], "replace"):
			o.replace = true
		case is(a[i], "db") && i+1 < len(a):
			i++
			if o.db, err = parseDatabase(a[i], databases); err != nil {
				return o, err
			}
		default:
			return o, errSyntax
		}
	}
	return o, nil
}

// copyTo returns the destination of a COPY that names its database.
func copyTo(a [][]byte) (db int, key []byte, ok bool) {
	o, err := parseCopy(a, -1, maxDatabases)
	if err != nil || o.db < 0 {
		return 0, nil, false
	}
	return o.db, a[2], true
}

func copyKey(t *txn, a [][]byte) error {
	o, err := parseCopy(a, t.db, t.c.host.o.databases)
	if err != nil {
		return err
	}
	from, to := t.name(a[1]), t.c.names.of(o.db, a[2])
	if from == to {
		return refusal("ERR source and destination objects are the same")
	}
	there, err := t.exists(from)
	if err != nil {
		return err
	}
	taken, err := t.exists(to)
	if err != nil {
		return err
	}
	done := there && (o.replace || !taken)
	if done {
		if err := t.copy(from, to); err != nil {
			return err
		}
	}
	t.w.Int(number(done))
	return nil
}

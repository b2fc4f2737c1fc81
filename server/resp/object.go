package resp

// What a key's value is kept in, and how big it is.

var objectCommands = []command{
	{name: "object|encoding", arity: 3, flags: readonly, keys: subKey, tx: objectEncoding,
		doc: doc{"Returns what a key's value is kept in: listpack or skiplist of a sorted set", "2.2.3", "generic", "O(1)"}},
	{name: "object|refcount", arity: 3, flags: readonly, keys: subKey, tx: objectRefcount,
		doc: doc{"Returns 1, or of a small integer what Redis does", "2.2.3", "generic", "O(1)"}},
	{name: "object|idletime", arity: 3, flags: readonly, keys: subKey, tx: objectIdletime,
		doc: doc{"Returns 0: it is not known when a key was last used", "2.2.3", "generic", "O(1)"}},
	{name: "object|freq", arity: 3, flags: readonly, keys: subKey, tx: objectFreq,
		doc: doc{"Refused: it is not known how often a key is used", "4.0.0", "generic", "O(1)"}},
	{name: "object|help", arity: 2, alone: helpOf("OBJECT", "ENCODING <key>", "    What the value of a key is kept in.",
		"FREQ <key>", "    Not known.", "IDLETIME <key>", "    Not known: 0.", "REFCOUNT <key>", "    1, or 2147483647 of a small integer."),
		doc: doc{"Says what OBJECT can do", "6.2.0", "generic", "O(1)"}},
}

var memoryCommands = []command{
	{name: "memory|usage", arity: -3, flags: readonly, keys: subKey, tx: memoryUsage,
		doc: doc{"Returns how many bytes of memory a key takes, about", "4.0.0", "server", "O(1)"}},
	{name: "memory|help", arity: 2, alone: helpOf("MEMORY", "USAGE <key> [SAMPLES <count>]", "    About how many bytes of memory a key takes. Nothing is sampled."),
		doc: doc{"Says what MEMORY can do", "4.0.0", "server", "O(1)"}},
}

func objectEncoding(t *txn, a [][]byte) error {
	h, err := t.look(t.name(a[2]))
	switch {
	case err != nil:
		return err
	case h.kind == none:
		t.w.Null()
	default:
		t.w.BulkString(h.encoding())
	}
	return nil
}

func objectRefcount(t *txn, a [][]byte) error {
	h, err := t.look(t.name(a[2]))
	switch {
	case err != nil:
		return err
	case h.kind == none:
		t.w.Null()
	default:
		t.w.Int(h.refcount())
	}
	return nil
}

func objectIdletime(t *txn, a [][]byte) error {
	there, err := t.exists(t.name(a[2]))
	switch {
	case err != nil:
		return err
	case !there:
		t.w.Null()
	default:
		t.w.Int(0)
	}
	return nil
}

func objectFreq(t *txn, a [][]byte) error {
	there, err := t.exists(t.name(a[2]))
	if err != nil {
		return err
	}
	if there {
		return refusal("ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching " +
			"between policies at runtime LRU and LFU data will take some time to adjust.")
	}
	t.w.Null()
	return nil
}

func memoryUsage(t *txn, a [][]byte) error {
	for i := 3; i < len(a); i += 2 {
		if !is(a[i], "samples") || i+1 == len(a) {
			return errSyntax
		}
		n, err := parseInt[int64](a[i+1])
		if err != nil {
			return err
		}
		if n < 0 {
			return errSyntax
		}
	}
	name := t.name(a[2])
	h, err := t.look(name)
	switch {
	case err != nil:
		return err
	case h.kind == none:
		t.w.Null()
	default:
		t.w.Int(int64(h.size(name)))
	}
	return nil
}

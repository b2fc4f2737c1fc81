package keycmd

import (
	"slices"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// By themselves these commands list keys from the engine, and lock nothing meanwhile. Between MULTI and EXEC they use the keys that the
// transaction has locked, which are all keys.

func keysAlone(c *session.Client, a [][]byte) error {
	c.TakeTurn()
	n, err := c.Host.Engine.Count()
	if err == nil {
		err = c.Borrow(n+c.Host.Space.PlainCount(), session.KeyBytes)
	}
	if err != nil {
		return err
	}
	list, err := c.Host.Space.Listed(c.Host.Work, c.DB, string(a[1]))
	return writeKeys(&c.Out, list, err)
}

func keysTx(t *session.Txn, a [][]byte) error {
	list, err := t.Listed(t.DB, string(a[1]))
	return writeKeys(t.Out, list, err)
}

func writeKeys(w *wire.Writer, list []keyspace.Found, err error) error {
	if err != nil {
		return err
	}
	if !w.Expect(len(list), wire.LeastBulk) {
		return nil
	}
	w.Array(len(list))
	for _, f := range list {
		w.BulkString(f.Key)
	}
	return nil
}

// scanWithoutTurn is how many keys a SCAN may ask for without a turn.
const scanWithoutTurn = 1000

func scanAlone(c *session.Client, a [][]byte) error {
	o, err := command.ParseScan(a)
	if err != nil {
		return err
	}
	if o.Count > scanWithoutTurn {
		c.TakeTurn()
	}
	list, next, err := c.Host.Space.Scan(c.Host.Work, c.DB, o.Cursor, o.Count)
	if err != nil {
		return err
	}
	writeScan(&c.Out, next, list, o)
	return nil
}

// scanTx answers with all keys at once.
func scanTx(t *session.Txn, a [][]byte) error {
	o, err := command.ParseScan(a)
	if err != nil {
		return err
	}
	list, err := t.Listed(t.DB, "*")
	if err != nil {
		return err
	}
	writeScan(t.Out, 0, list, o)
	return nil
}

func writeScan(w *wire.Writer, next uint64, list []keyspace.Found, o command.ScanOptions) {
	list = slices.DeleteFunc(list, func(f keyspace.Found) bool {
		return o.Kind != "" && o.Kind != keyspace.TypeNames[f.Kind] || !o.Match(f.Key)
	})
	w.Array(2)
	w.BulkString(command.Decimal(next))
	_ = writeKeys(w, list, nil)
}

func randomAlone(c *session.Client, _ [][]byte) error {
	key, ok, err := c.Host.Space.Random(c.Host.Work, c.DB)
	if err == nil {
		writeKey(&c.Out, key, ok)
	}
	return err
}

func randomTx(t *session.Txn, _ [][]byte) error {
	list, err := t.Listed(t.DB, "*")
	if err == nil {
		key, ok := keyspace.Pick(list)
		writeKey(t.Out, key, ok)
	}
	return err
}

func writeKey(w *wire.Writer, key string, ok bool) {
	if ok {
		w.BulkString(key)
	} else {
		w.Null()
	}
}

package resp

import (
	"slices"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Commands that list keys. By themselves they ask the engine, and lock nothing for as long as they take; between MULTI and EXEC they go
// through the keys that the transaction has named, which are all.

func keysAlone(c *client, a [][]byte) error {
	c.takeTurn()
	n, err := c.host.e.Count()
	if err == nil {
		err = c.borrow(n+c.host.space.plainCount(), keyBytes)
	}
	if err != nil {
		return err
	}
	list, err := c.host.space.listed(c.db, string(a[1]))
	return writeKeys(&c.out, list, err)
}

func keysTx(t *txn, a [][]byte) error {
	list, err := t.listed(t.db, string(a[1]))
	return writeKeys(t.w, list, err)
}

func writeKeys(w *wire.Writer, list []found, err error) error {
	if err != nil {
		return err
	}
	if !w.Expect(len(list), wire.LeastBulk) {
		return nil
	}
	w.Array(len(list))
	for _, f := range list {
		w.BulkString(f.key)
	}
	return nil
}

// scanWithoutTurn is how many keys a SCAN may ask for that needs no turn.
const scanWithoutTurn = 1000

func scanAlone(c *client, a [][]byte) error {
	o, err := parseScan(a)
	if err != nil {
		return err
	}
	if o.count > scanWithoutTurn {
		c.takeTurn()
	}
	list, next, err := c.host.space.scan(c.db, o.cursor, o.count)
	if err != nil {
		return err
	}
	writeScan(&c.out, next, list, o)
	return nil
}

// scanTx answers all at once.
func scanTx(t *txn, a [][]byte) error {
	o, err := parseScan(a)
	if err != nil {
		return err
	}
	list, err := t.listed(t.db, "*")
	if err != nil {
		return err
	}
	writeScan(t.w, 0, list, o)
	return nil
}

func writeScan(w *wire.Writer, next uint64, list []found, o scanOptions) {
	list = slices.DeleteFunc(list, func(f found) bool {
		return o.kind != "" && o.kind != typeNames[f.kind] || !o.match(f.key)
	})
	w.Array(2)
	w.BulkString(decimal(next))
	_ = writeKeys(w, list, nil)
}

func randomAlone(c *client, _ [][]byte) error {
	key, ok, err := c.host.space.random(c.db)
	if err == nil {
		writeKey(&c.out, key, ok)
	}
	return err
}

func randomTx(t *txn, _ [][]byte) error {
	list, err := t.listed(t.db, "*")
	if err == nil {
		key, ok := pick(list)
		writeKey(t.w, key, ok)
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

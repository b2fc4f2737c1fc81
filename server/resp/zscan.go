package resp

import (
	"slices"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/zset"
)

// maxScan is how many members ZSCAN goes through at once, whatever COUNT says.
const maxScan = 1 << 16

// zscan answers with the members from a cursor on, with scores as they are stored. A listpack comes whole, in order.
func zscan(t *txn, a [][]byte) error {
	cursor, ok := parseCursor(a[2])
	if !ok {
		return errCursor
	}
	v, err := t.read(a[1])
	if err != nil {
		return err
	}
	var list []zset.Entry
	var next uint64
	if v.Len() > 0 { // Redis reads no options where there is nothing to scan
		o, err := parseScanOptions(a[3:], false)
		if err != nil {
			return err
		}
		if err := t.c.borrow(min(o.count, maxScan, v.Len()), entryBytes); err != nil {
			return err
		}
		list, next = v.AppendScan(nil, cursor, min(o.count, maxScan))
		list = slices.DeleteFunc(list, func(e zset.Entry) bool { return !o.match(string(e.Member)) })
	}
	writeScanned(t, next, list, v.Encoding() == "listpack")
	return nil
}

// writeScanned answers with a cursor and entries.
func writeScanned(t *txn, next uint64, list []zset.Entry, listpack bool) {
	t.w.Array(2)
	t.w.BulkString(decimal(next))
	t.w.Array(2 * len(list))
	var room [64]byte
	for _, e := range list {
		t.w.Bulk(e.Member)
		t.w.Bulk(wire.AppendScanScore(room[:0], e.Score, t.w.Scores, listpack))
	}
}

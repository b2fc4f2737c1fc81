package zsetcmd

import (
	"slices"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/zset"
)

// maxScan is the most members that one ZSCAN walks, whatever COUNT is.
const maxScan = 1 << 16

// zscan answers with members from a cursor on, and their stored scores. A listpack is answered whole, in order.
func zscan(t *session.Txn, a [][]byte) error {
	cursor, ok := command.ParseCursor(a[2])
	if !ok {
		return command.ErrCursor
	}
	v, err := t.Read(a[1])
	if err != nil {
		return err
	}
	var list []zset.Entry
	var next uint64
	if v.Len() > 0 { // Redis reads no options for an empty set
		o, err := command.ParseScanOptions(a[3:], false)
		if err != nil {
			return err
		}
		if err := t.Client.Borrow(min(o.Count, maxScan, v.Len()), session.EntryBytes); err != nil {
			return err
		}
		list, next = v.AppendScan(nil, cursor, min(o.Count, maxScan))
		list = slices.DeleteFunc(list, func(e zset.Entry) bool { return !o.Match(string(e.Member)) })
	}
	writeScanned(t, next, list, v.Encoding() == "listpack")
	return nil
}

// writeScanned writes a cursor and entries.
func writeScanned(t *session.Txn, next uint64, list []zset.Entry, listpack bool) {
	t.Out.Array(2)
	t.Out.BulkString(command.Decimal(next))
	t.Out.Array(2 * len(list))
	var buf [64]byte
	for _, e := range list {
		t.Out.Bulk(e.Member)
		t.Out.Bulk(wire.AppendScanScore(buf[:0], e.Score, t.Out.Scores, listpack))
	}
}

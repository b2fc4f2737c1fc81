package zsetcmd

import (
	"bytes"
	"context"

	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/zset"
)

// zrangestore is ZRANGESTORE. If the result is long, the command is deferred, as big set operations are.
func zrangestore(t *session.Txn, a [][]byte) error {
	q := query{store: true}
	if err := q.parse(a[3:]); err != nil {
		return err
	}
	v, err := t.Read(a[2])
	if err != nil {
		return err
	}
	lo, hi, err := q.ranks(v)
	if err != nil {
		return err
	}
	if hi-lo > t.Client.Host.DeferAbove && mayDefer(t, a[2:3], []keyspace.Sorted{v}) {
		c, src := t.Client, t.Name(a[2])
		return deferStore(t, a[1], a[2:3], func(ctx context.Context, dst string) (int, error) {
			return c.Host.Engine.RangeStore(ctx, dst, src, func(v *zset.View) (lo, hi int) {
				lo, hi, _ = q.ranks(v) // a View has no errors
				return lo, hi
			})
		})
	}
	return storeEntries(t, a[1], cloned(v, lo, hi))
}

// ranks is find, with ranks whatever the direction.
func (q *query) ranks(v keyspace.Sorted) (lo, hi int, err error) {
	lo, hi, err = q.find(v)
	if q.reverse {
		lo, hi = v.Reverse(lo, hi)
	}
	return lo, max(lo, hi), err
}

// cloned returns copies of the entries of ranks [lo, hi).
func cloned(v keyspace.Sorted, lo, hi int) []zset.Entry {
	list := make([]zset.Entry, 0, max(hi-lo, 0))
	for member, score := range v.Range(lo, hi) {
		list = append(list, zset.Entry{Member: bytes.Clone(member), Score: score})
	}
	return list
}

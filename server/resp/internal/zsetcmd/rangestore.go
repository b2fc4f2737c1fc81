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
	v, lo, hi, err := q.read(t, a[2:])
	if err != nil {
		return err
	}
	lo, hi = q.ranks(v, lo, hi)
	if hi-lo > t.Client.Host.DeferAbove && mayDefer(t, a[2:3], []keyspace.Sorted{v}) {
		c, src := t.Client, t.Name(a[2])
		return deferStore(t, a[1], a[2:3], func(ctx context.Context, dst string) (int, error) {
			return c.Host.Engine.RangeStore(ctx, dst, src, func(v *zset.View) (lo, hi int) {
				lo, hi, _ = q.find(v) // a View has no errors
				return q.ranks(v, lo, hi)
			})
		})
	}
	return storeEntries(t, a[1], cloned(v, lo, hi))
}

// ranks returns what find has found with ranks whatever the direction.
func (q *query) ranks(v keyspace.Sorted, lo, hi int) (int, int) {
	if q.reverse {
		lo, hi = v.Reverse(lo, hi)
	}
	return lo, max(lo, hi)
}

// cloned returns copies of the entries of ranks [lo, hi).
func cloned(v keyspace.Sorted, lo, hi int) []zset.Entry {
	list := make([]zset.Entry, 0, max(hi-lo, 0))
	for member, score := range v.Range(lo, hi) {
		list = append(list, zset.Entry{Member: bytes.Clone(member), Score: score})
	}
	return list
}

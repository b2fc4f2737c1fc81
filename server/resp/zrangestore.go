package resp

import (
	"bytes"
	"context"

	"github.com/zrankdb/zrank/zset"
)

// zrangestore is ZRANGE whose result is stored. A long one is left to the engine, as results of big set operations are.
func zrangestore(t *txn, a [][]byte) error {
	q := query{store: true}
	if err := q.parse(a[3:]); err != nil {
		return err
	}
	v, err := t.read(a[2])
	if err != nil {
		return err
	}
	lo, hi, err := q.ranks(v)
	if err != nil {
		return err
	}
	if hi-lo > t.c.host.deferAbove && mayDefer(t, a[2:3], []sorted{v}) {
		c, src := t.c, t.name(a[2])
		return deferStore(t, a[1], a[2:3], func(ctx context.Context, dst string) (int, error) {
			return c.host.e.RangeStore(ctx, dst, src, func(v *zset.View) (lo, hi int) {
				lo, hi, _ = q.ranks(v) // it has no errors for a View
				return lo, hi
			})
		})
	}
	return storeEntries(t, a[1], cloned(v, lo, hi))
}

// ranks is find, of ranks whatever the direction.
func (q *query) ranks(v sorted) (lo, hi int, err error) {
	lo, hi, err = q.find(v)
	if q.reverse {
		lo, hi = v.Reverse(lo, hi)
	}
	return lo, max(lo, hi), err
}

// cloned returns copies of the entries of an interval.
func cloned(v sorted, lo, hi int) []zset.Entry {
	list := make([]zset.Entry, 0, max(hi-lo, 0))
	for member, score := range v.Range(lo, hi) {
		list = append(list, zset.Entry{Member: bytes.Clone(member), Score: score})
	}
	return list
}

package dumpcmd

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/zrankdb/zrank/rdb"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// dumpers write values in their small encoding or not. A value has the encoding that OBJECT ENCODING says, whatever its size is now.
type dumpers struct{ small, large *rdb.Dumper }

// pool keeps dumpers: their tables for compression have 256 KiB.
var pool = sync.Pool{New: func() any {
	small, _ := rdb.NewDumper(rdb.WriteOptions{Compress: true, Thresholds: rdb.Thresholds{ListpackEntries: math.MaxInt, ListpackValue: math.MaxInt, IntsetEntries: math.MaxInt}})
	large, _ := rdb.NewDumper(rdb.WriteOptions{Compress: true, Thresholds: rdb.Thresholds{ListpackEntries: -1, IntsetEntries: -1}})
	return &dumpers{small, large}
}}

// leastEntry is the least size of an entry of a sorted set in a dump: the length of the member and the score. A listpack may be smaller, and is small.
const leastEntry = 9

// dump is DUMP key.
func dump(t *session.Txn, a [][]byte) error {
	b, _, err := valueOf(t, t.Name(a[1]))
	switch {
	case err != nil:
		return err
	case b == nil:
		t.Out.Null()
	default:
		t.Out.Bulk(b)
	}
	return nil
}

// valueOf returns the dump of a key's value, and the value; nil if there is none. The client borrows its memory. Errors: session.ErrNoMemory, a refusal if the
// dump would be larger than a reply may be.
func valueOf(t *session.Txn, name string) ([]byte, keyspace.Value, error) {
	h, err := t.Get(name)
	if err != nil || h.Kind == keyspace.None {
		return nil, h, err
	}
	if err := t.Client.Borrow(2*h.Size(name), 1); err != nil { // the value once, and a part of it that is being compressed
		return nil, h, err
	}
	d := pool.Get().(*dumpers)
	defer pool.Put(d)
	b, err := d.dump(t, name, h)
	return b, h, err
}

// dump returns the dump of a value.
func (d *dumpers) dump(t *session.Txn, name string, h keyspace.Value) ([]byte, error) {
	switch h.Kind {
	case keyspace.String:
		return d.small.String(nil, h.Plain.Body), nil
	case keyspace.PlainSet:
		list := keyspace.Members(h.Plain)
		if h.Encoding() == "intset" {
			return d.small.Set(nil, len(list), slices.Values(list))
		}
		return d.large.Set(nil, len(list), slices.Values(list))
	}
	v, err := t.SortedAt(name)
	if err != nil {
		return nil, err
	}
	to, n := d.large, v.Len()
	if v.Encoding() == "listpack" {
		to = d.small
	} else if n > t.Client.Host.Config.MaxReply/leastEntry {
		return nil, errTooLarge(t)
	}
	size := 0
	b, err := to.SortedSet(nil, n, untilTooLarge(v.RevRange(0, n), &size, t.Client.Host.Config.MaxReply))
	if size > t.Client.Host.Config.MaxReply {
		return nil, errTooLarge(t)
	}
	return b, err
}

// untilTooLarge ends a walk when the members have more bytes than a reply may.
func untilTooLarge(walk iter.Seq2[[]byte, float64], size *int, most int) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		for m, score := range walk {
			if *size += len(m); *size > most || !yield(m, score) {
				return
			}
		}
	}
}

// errTooLarge returns the refusal of a dump that is larger than a reply may be.
func errTooLarge(t *session.Txn) error {
	t.Out.Expect(t.Client.Host.Config.MaxReply, wire.LeastBulk)
	return cmp.Or(t.Client.Cut(), error(command.Refusal("ERR the dump is larger than a reply may be")))
}

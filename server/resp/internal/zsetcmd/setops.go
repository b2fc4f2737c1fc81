package zsetcmd

import (
	"iter"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/zset"
)

// The inputs of a set operation are sorted sets, with the scores that clients see, and plain sets, whose members have score 1. Between MULTI
// and EXEC the operation runs in the transaction. Otherwise big ones are deferred: see defer.go.

// combining returns one of the set operations. fixed has the fields that follow from the command's name.
func combining(fixed combination) func(*session.Txn, [][]byte) error {
	return func(t *session.Txn, a [][]byte) error {
		q := fixed
		var dst []byte
		words := a[1:]
		if q.store {
			dst, words = words[0], words[1:]
		}
		words, err := q.parseKeys(t.Step.Command.Name, words)
		if err != nil {
			return err
		}
		in, err := operands(t, q.keys)
		if err != nil {
			return err
		}
		for len(words) > 0 {
			if words, err = q.option(words); err != nil {
				return err
			}
		}
		if !q.fits(t.Out, in) {
			return nil
		}
		if q.work(in) > t.Client.Host.DeferAbove && mayDefer(t, q.keys, in) {
			return deferCombine(t, q, dst, in)
		}
		return combineNow(t, q, dst, in)
	}
}

// operands returns the inputs of a set operation. Errors: ErrWrongType.
func operands(t *session.Txn, keys [][]byte) ([]keyspace.Sorted, error) {
	in := make([]keyspace.Sorted, len(keys))
	for i, key := range keys {
		name := t.Name(key)
		v, err := t.PlainAt(name)
		switch {
		case err != nil:
			return nil, err
		case v.Kind == keyspace.None:
			in[i], err = t.SortedAt(name)
		case v.Kind == keyspace.PlainSet:
			in[i], err = floatsOf(unscored(v))
		default:
			err = command.ErrWrongType
		}
		if err != nil {
			return nil, err
		}
	}
	return in, nil
}

// unscored walks the members of a plain set, each with score 1.
func unscored(v keyspace.Plain) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		for _, m := range keyspace.Members(v) {
			if !yield(m, 1) {
				return
			}
		}
	}
}

// floatsOf returns a new set of the entries of a walk. O(n log n).
func floatsOf(walk iter.Seq2[[]byte, float64]) (*zset.View, error) {
	b, err := zset.NewBuilder(zset.Options{})
	if err != nil {
		return nil, err
	}
	for member, score := range walk {
		if err := b.Add(member, score); err != nil {
			return nil, err
		}
	}
	return b.Set().View(), nil
}

// views returns operands with float64 scores; it copies those with int64 scores, in O(n log n).
func views(in []keyspace.Sorted) (list []*zset.View, err error) {
	list = make([]*zset.View, len(in))
	for i, v := range in {
		var ok bool
		if list[i], ok = v.(*zset.View); ok {
			continue
		}
		if list[i], err = floatsOf(v.Range(0, v.Len())); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// combineNow does the operation in the transaction, and answers.
func combineNow(t *session.Txn, q combination, dst []byte, in []keyspace.Sorted) error {
	if err := t.Client.Borrow(q.memory(in), 1); err != nil {
		return err
	}
	sets, err := views(in)
	if err != nil {
		return err
	}
	if q.card {
		t.Out.Int(int64(zset.InterCard(q.limit, sets...)))
		return nil
	}
	z, err := q.result(sets)
	if err != nil {
		return err
	}
	if q.store {
		return storeEntries(t, dst, z.Append(nil, 0, z.Len()))
	}
	writeEntries(t.Out, z.Range(0, z.Len()), z.Len(), q.shape())
	return nil
}

func (q *combination) result(sets []*zset.View) (*zset.Set, error) {
	switch q.operation {
	case union:
		return zset.Union(zset.Options{}, q.how, sets...)
	case inter:
		return zset.Inter(zset.Options{}, q.how, sets...)
	}
	return zset.Diff(zset.Options{}, sets[0], sets[1:]...)
}

// storeEntries stores entries in place of a key's value and expiry, and answers with their number. Errors: ErrReadOnly.
func storeEntries(t *session.Txn, key []byte, list []zset.Entry) error {
	err := t.Put(t.Name(key), list)
	if err == nil {
		t.Out.Int(int64(len(list)))
	}
	return err
}

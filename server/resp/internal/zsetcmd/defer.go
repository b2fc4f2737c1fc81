package zsetcmd

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/zset"
)

// Set operations on big sets, and long ranges that are stored, are deferred: the engine does them outside a transaction, where they delay
// others by a page of work at most, and may store a result of any size. So these commands first read their inputs in a transaction, and do
// small operations right there. If an input changes between that transaction and the deferred operation, the command begins again. The last
// attempt stays in the transaction, however long it takes.

// deferAttempts is how often a command begins before it stays in the transaction.
const deferAttempts = 3

var (
	errDeferred     = errors.New("resp: too much for one transaction")
	errInputChanged = errors.New("resp: the value of an input key has changed its kind")
)

// deferring runs a command that may be deferred.
func deferring(c *session.Client, a [][]byte) error {
	s := session.Step{Command: c.Host.Commands.Lookup(a[0]), Args: a, DB: c.DB}
	var keys []string
	c.EachKey(s, func(name string) { keys = append(keys, name) })
	mark := c.Out.Len()
	for attempt := 1; ; attempt++ {
		deferred, err := tryNow(c, s, keys, attempt < deferAttempts)
		if deferred != nil {
			err = deferred()
		}
		if err != nil {
			c.Out.Truncate(mark)
		}
		if !errors.Is(err, errInputChanged) && !errors.Is(err, engine.ErrKind) || attempt == deferAttempts {
			return err
		}
	}
}

// tryNow runs a command in a transaction, or returns the deferred operation.
func tryNow(c *session.Client, s session.Step, keys []string, deferrable bool) (deferred func() error, err error) {
	err = c.Transact(keys, s.Command.Flags&command.Write != 0, func(t *session.Txn) error {
		t.Deferrable = deferrable
		err := t.Do(s)
		deferred = t.Deferred
		return err
	})
	if deferred != nil {
		return deferred, nil
	}
	return nil, err
}

// deferCombine defers a set operation. It returns errDeferred, or a refusal.
func deferCombine(t *session.Txn, q combination, dst []byte, in []keyspace.Sorted) error {
	c, names := t.Client, t.EngineKeys(q.keys)
	if q.store {
		return deferStore(t, dst, q.keys, func(ctx context.Context, dst string) (int, error) { return q.storeIn(ctx, c.Host.Engine, dst, names) })
	}
	bytes := q.memory(in)
	t.Deferred = func() error {
		c.TakeTurn()
		var z *zset.Set
		var n int
		err := c.Borrow(bytes, 1)
		if err == nil {
			z, n, err = q.in(c.Host.Work, c.Host.Engine, names)
		}
		switch {
		case err != nil:
			return err
		case c.Host.Space.MayBePlain(names...):
			return errInputChanged
		case q.card:
			c.Out.Int(int64(n))
			return nil
		}
		writeEntries(&c.Out, z.Range(0, z.Len()), z.Len(), q.shape())
		return nil
	}
	return errDeferred
}

// in does the operation in the engine: a result, or how many members it has.
func (q *combination) in(ctx context.Context, e *engine.Engine, names []string) (z *zset.Set, n int, err error) {
	switch {
	case q.card:
		n, err = e.InterCard(ctx, q.limit, names...)
	case q.operation == union:
		z, err = e.Union(ctx, q.how, names...)
	case q.operation == inter:
		z, err = e.Inter(ctx, q.how, names...)
	default:
		z, err = e.Diff(ctx, names[0], names[1:]...)
	}
	return z, n, err
}

// storeIn does the operation in the engine, and stores the result.
func (q *combination) storeIn(ctx context.Context, e *engine.Engine, dst string, names []string) (n int, err error) {
	switch q.operation {
	case union:
		return e.UnionStore(ctx, dst, q.how, names...)
	case inter:
		return e.InterStore(ctx, dst, q.how, names...)
	}
	return e.DiffStore(ctx, dst, names[0], names[1:]...)
}

// deferStore defers do, which stores a result under dst and returns its number of members, the reply. It returns errDeferred, or ErrReadOnly.
// If an input becomes a plain value meanwhile, do treats it as absent, and the command begins again, unless the destination is an input.
func deferStore(t *session.Txn, key []byte, inputs [][]byte, do func(ctx context.Context, dst string) (n int, err error)) error {
	c, dst, again := t.Client, t.Name(key), !slices.ContainsFunc(inputs, func(in []byte) bool { return string(in) == string(key) })
	if err := t.Changeable(dst); err != nil {
		return err
	}
	names := t.EngineKeys(inputs)
	t.Deferred = func() error {
		n, err := do(c.Host.Work, dst)
		c.Host.Space.Mark(dst)
		if err == nil {
			err = c.Supersede(dst, n == 0)
		}
		if err == nil && again && c.Host.Space.MayBePlain(names...) {
			err = errInputChanged
		}
		if err == nil {
			c.Out.Int(int64(n))
		}
		return err
	}
	return errDeferred
}

// mayDefer reports whether the operation may be deferred: the engine combines sets with float64 scores only.
func mayDefer(t *session.Txn, keys [][]byte, in []keyspace.Sorted) bool {
	if !t.Deferrable || t.Client.Host.Space.MayBePlain(t.EngineKeys(keys)...) {
		return false
	}
	return !slices.ContainsFunc(in, func(v keyspace.Sorted) bool { _, ok := v.(*zset.View); return !ok })
}

// memory returns about how many bytes of memory the operation needs at most, for its result and for copies of sets with int64 scores.
func (q *combination) memory(in []keyspace.Sorted) (bytes int) {
	least := math.MaxInt
	for i, v := range in {
		size := 0
		if v.Len() > 0 {
			size = v.Size()
		}
		if _, ok := v.(*zset.View); !ok || q.operation == union || q.operation == diff && i == 0 {
			bytes += size
		}
		least = min(least, size)
	}
	if q.operation == inter && !q.card {
		bytes += least
	}
	return bytes
}

// fits reports whether the smallest possible reply is within the limit: a union has at least the members of its largest input.
func (q *combination) fits(w *wire.Writer, in []keyspace.Sorted) bool {
	if q.store || q.card || q.operation != union {
		return true
	}
	n := 0
	for _, v := range in {
		n = max(n, v.Len())
	}
	return w.Expect(n, q.shape().least())
}

// work returns how many entries the operation goes through.
func (q *combination) work(in []keyspace.Sorted) (n int) {
	switch q.operation {
	case diff:
		return in[0].Len() * len(in)
	case inter:
		n = in[0].Len()
		for _, v := range in {
			n = min(n, v.Len())
		}
		return n * len(in)
	}
	for _, v := range in {
		n += v.Len()
	}
	return n
}

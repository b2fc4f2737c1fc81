package resp

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/zset"
)

// Set operations on big sets, and long ranges that are stored, are left to the engine: it holds nobody up for longer than a page
// of work, and a result that it stores may be of any size. So these commands first look at their inputs in a transaction. Small ones
// are done right there. What the inputs are may change between the look and the operation; then all begins again, and the last
// attempt is made in a transaction, however long it takes.

const (
	patientFrom   = 4096 // writeEntries that an operation goes through, above which it is too much for a transaction
	deferAttempts = 3
)

var (
	errDeferred     = errors.New("resp: too much for one transaction")
	errInputChanged = errors.New("resp: a key holds something else by now")
)

// deferring runs a command by itself: in a transaction, or after it if it is too much for one.
func deferring(c *client, a [][]byte) error {
	s := step{c.host.commands.look(a[0]), a, c.db}
	var keys []string
	s.m.each(c.db, a, func(db int, key []byte) { keys = append(keys, c.names.of(db, key)) })
	mark := c.out.Len()
	for attempt := 1; ; attempt++ {
		deferred, err := tryNow(c, s, keys, attempt < deferAttempts)
		if deferred != nil {
			err = deferred()
		}
		if err != nil {
			c.out.Truncate(mark)
		}
		if !errors.Is(err, errInputChanged) && !errors.Is(err, engine.ErrKind) || attempt == deferAttempts {
			return err
		}
	}
}

// tryNow runs a command in a transaction, or returns what to do instead.
func tryNow(c *client, s step, keys []string, patient bool) (deferred func() error, err error) {
	err = c.transact(keys, s.m.flags&write != 0, func(t *txn) error {
		t.deferrable = patient
		err := t.do(s)
		deferred = t.deferred
		return err
	})
	if deferred != nil {
		return deferred, nil
	}
	return nil, err
}

// deferCombine leaves a set operation to the engine.
func deferCombine(t *txn, q combination, dst []byte, in []sorted) error {
	c, names := t.c, t.engineKeys(q.keys)
	if q.store {
		return deferStore(t, dst, q.keys, func(ctx context.Context, dst string) (int, error) { return q.storeIn(ctx, c.host.e, dst, names) })
	}
	bytes := q.memory(in)
	t.deferred = func() error {
		c.takeTurn()
		var z *zset.Set
		var n int
		err := c.borrow(bytes, 1)
		if err == nil {
			z, n, err = q.in(c.host.work, c.host.e, names)
		}
		switch {
		case err != nil:
			return err
		case c.host.space.mayBePlain(names...):
			return errInputChanged
		case q.card:
			c.out.Int(int64(n))
			return nil
		}
		writeEntries(&c.out, z.Range(0, z.Len()), z.Len(), q.shape())
		return nil
	}
	return errDeferred
}

// in has the engine do the operation: a result, or how many members it has.
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

// storeIn has the engine do the operation and store the result.
func (q *combination) storeIn(ctx context.Context, e *engine.Engine, dst string, names []string) (n int, err error) {
	switch q.operation {
	case union:
		return e.UnionStore(ctx, dst, q.how, names...)
	case inter:
		return e.InterStore(ctx, dst, q.how, names...)
	}
	return e.DiffStore(ctx, dst, names[0], names[1:]...)
}

// deferStore leaves it to do to make and store a result, and answers how many members that has. Errors: errReadOnly. An input that is
// replaced by a plain value just then counts as one that is gone.
func deferStore(t *txn, key []byte, inputs [][]byte, do func(ctx context.Context, dst string) (n int, err error)) error {
	c, dst, again := t.c, t.name(key), !slices.ContainsFunc(inputs, func(in []byte) bool { return string(in) == string(key) })
	if err := t.changeable(dst); err != nil {
		return err
	}
	names := t.engineKeys(inputs)
	t.deferred = func() error {
		n, err := do(c.host.work, dst)
		c.host.space.mark(dst)
		if err == nil {
			err = supersede(c, dst, n == 0)
		}
		if err == nil && again && c.host.space.mayBePlain(names...) {
			err = errInputChanged
		}
		if err == nil {
			c.out.Int(int64(n))
		}
		return err
	}
	return errDeferred
}

// supersede drops the plain value of a key that the engine has given a sorted set to, or an empty one, which is none. Whoever gives it
// a plain value drops the sorted set: if both are there, the plain value is the older one.
func supersede(c *client, name string, empty bool) error {
	if !c.host.space.mayBePlain(name) {
		return nil
	}
	return c.transact([]string{name}, true, func(t *txn) error {
		exists, err := t.sortedExists(name)
		if err == nil && (exists || empty) {
			_, err = t.dropPlain(name)
		}
		return err
	})
}

// mayDefer reports whether the command may be left to the engine, which knows sets with float64 scores only.
func mayDefer(t *txn, keys [][]byte, in []sorted) bool {
	if !t.deferrable || t.c.host.space.mayBePlain(t.engineKeys(keys)...) {
		return false
	}
	return !slices.ContainsFunc(in, func(v sorted) bool { _, ok := v.(*zset.View); return !ok })
}

// memory returns how many bytes of memory the operation needs at most, about: for its result, and for copies of sets with int64 scores.
func (q *combination) memory(in []sorted) (bytes int) {
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

// fits reports whether the reply may be as large as it will be at least: a union has all members of the largest input.
func (q *combination) fits(w *wire.Writer, in []sorted) bool {
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
func (q *combination) work(in []sorted) (n int) {
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

package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/zrankdb/zrank/engine/internal/facts"
)

// Set operations that store their result under a key dst. If the inputs and dst are at most a page of work in all, an operation is one
// transaction. Otherwise it is two: one sees the inputs at an instant, and one puts the result in its place. If dst is an input and changes
// between the two, the operation starts again.

// storeAttempts is the number of attempts to store a result. The last one is a single transaction of any size, which blocks writers.
const storeAttempts = 3

var (
	errBig = errors.New("engine: too much for one transaction")
)

// expiry returns the expiry of the result: that of the first input if the result is a copy of it, otherwise none.
func (op *operation) expiry(was []instant) int64 {
	if !op.whole {
		return 0
	}
	return was[0].expires
}

// operateInto does a set operation and stores its result.
func (o *operations) operateInto(ctx context.Context, dst string, op *operation) (n int, err error) {
	if err := facts.Refuse(dst); err != nil {
		return 0, err
	}
	for attempt := 1; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := o.operateIn(ctx, dst, op, attempt == storeAttempts)
		if !errors.Is(err, errBig) {
			return n, err
		}
		z, was, err := o.operate(ctx, op)
		if err != nil {
			return 0, err
		}
		still := func(instant) bool { return true }
		if i := slices.Index(op.keys, dst); i >= 0 {
			still = func(now instant) bool { return now == was[i] }
		}
		o.m.keys.Limits.Fit(z)
		n = z.Len() // before Install, which takes z over
		if err = o.install(ctx, dst, z, op.expiry(was), facts.Digest{}, still); err == nil {
			return n, nil
		}
		if !errors.Is(err, errOvertaken) {
			return 0, err
		}
	}
}

// operateIn does a set operation and stores its result in one transaction. It returns errBig if that is more than a page of work, unless
// force is true.
func (o *operations) operateIn(ctx context.Context, dst string, op *operation, force bool) (n int, err error) {
	err = o.m.update(ctx, 0, append([]string{dst}, op.keys...), func(tx *Tx) error {
		in, err := inputs(tx, op.keys)
		if err != nil {
			return err
		}
		to, err := anyHandle(tx, dst)
		if err != nil {
			return err
		}
		if !force && op.work(in)+to.view.Size() > o.pageWork {
			return errBig
		}
		z, was, err := op.result(in)
		if err != nil {
			return err
		}
		if !op.whole { // as in Redis a copy has the encoding of what it was made of
			o.m.keys.Limits.Fit(z)
		}
		n = z.Len()
		to.put(z, op.expiry(was), facts.Digest{})
		return nil
	})
	return n, err
}

package engine

import (
	"context"
	"errors"
	"slices"
)

// Set operations that store their result. With inputs and a dst of a page of work in all, each is one transaction. Else it is
// two: one that sees the inputs at an instant, and one that puts the result in its place.

// storeAttempts is how often the result for a dst among the inputs is made without holding up writers.
const storeAttempts = 3

var (
	errBig       = errors.New("engine: too much for one transaction")
	errOvertaken = errors.New("engine: the set to be replaced has changed")
)

// expiry returns when the result vanishes: with the first input, if it is that one as a whole.
func (op *operation) expiry(was []instant) int64 {
	if !op.whole {
		return 0
	}
	return was[0].expires
}

// operateInto does a set operation and stores its result.
func (o *operations) operateInto(ctx context.Context, dst string, op *operation) (n int, err error) {
	if err := refuse(dst); err != nil {
		return 0, err
	}
	for attempt := 1; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := o.operateIn(dst, op, attempt == storeAttempts)
		if !errors.Is(err, errBig) {
			return n, err
		}
		z, was, err := o.operate(ctx, op)
		if err != nil {
			return 0, err
		}
		still := func(instant) bool { return true }
		if i := slices.Index(op.keys, dst); i >= 0 {
			still = func(is instant) bool { return is == was[i] }
		}
		o.m.keys.limits.fit(z)
		n = z.Len() // from install on it is not ours
		if err = o.install(ctx, dst, z, op.expiry(was), digest{}, still); err == nil {
			return n, nil
		}
		if !errors.Is(err, errOvertaken) {
			return 0, err
		}
	}
}

// operateIn does it in one transaction, or returns errBig if that would take long and nobody says whatever.
func (o *operations) operateIn(dst string, op *operation, whatever bool) (n int, err error) {
	err = o.m.update(0, append([]string{dst}, op.keys...), func(tx *Tx) error {
		in, err := inputs(tx, op.keys)
		if err != nil {
			return err
		}
		to, err := anyHandle(tx, dst)
		if err != nil {
			return err
		}
		if !whatever && op.work(in)+to.view.Size() > o.pageWork {
			return errBig
		}
		z, was, err := op.result(in)
		if err != nil {
			return err
		}
		if !op.whole { // as in Redis a copy has the encoding of what it was made of
			o.m.keys.limits.fit(z)
		}
		n = z.Len()
		to.put(z, op.expiry(was), digest{})
		return nil
	})
	return n, err
}

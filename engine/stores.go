package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/zset"
)

// Set operations that store their result. With inputs and a dst of a page of work in all, each is one transaction. Else it is
// two: one that sees the inputs at an instant, and one that puts the result in its place.

// storeAttempts is how often the result for a dst among the inputs is made without holding up writers.
const storeAttempts = 3

var (
	errBig       = errors.New("engine: too much for one transaction")
	errOvertaken = errors.New("engine: the set to be replaced has changed")
)

// UnionStore puts what Union returns in place of the set dst, whatever that held, and returns the number of its members, as
// Redis ZUNIONSTORE. No members mean that dst is gone. dst may be one of the inputs.
//
// Inputs and a dst of about 64 KiB in all are one transaction. Else the result is made first, while writers to the inputs wait no
// longer than for Union, and then stored, while dst is locked: others may see writes to the inputs in between that the result
// has not got. But no write to a dst that is an input is lost: if there was one in between, all is done again, the third time
// as one transaction with all sets locked, however long it takes; then a result of more than MaxTransaction is ErrTooLarge.
//
// The result replaces dst's ties and expiry too. One of more than 4 MiB is written by many commits and becomes visible by the last.
//
// O(N log N) for N entries in all and in dst. Errors: those of Union and of Update; ErrReserved for dst.
func (e *Engine) UnionStore(ctx context.Context, dst string, how zset.Combine[float64], keys ...string) (n int, err error) {
	return e.operateInto(ctx, dst, union(how, keys))
}

// InterStore puts what Inter returns in place of the set dst, as Redis ZINTERSTORE; the rest is as for UnionStore. O(n keys + r
// log r) for n entries of the smallest set and r in the result and in dst.
func (e *Engine) InterStore(ctx context.Context, dst string, how zset.Combine[float64], keys ...string) (n int, err error) {
	return e.operateInto(ctx, dst, inter(how, keys))
}

// DiffStore puts what Diff returns in place of the set dst, as Redis ZDIFFSTORE; the rest is as for UnionStore. O(n keys + n log
// n) for n entries of the first set and in dst.
func (e *Engine) DiffStore(ctx context.Context, dst, first string, others ...string) (n int, err error) {
	return e.operateInto(ctx, dst, diff(first, others))
}

// RangeStore puts a range of the set src, with its ties, in place of the set dst, and returns how many members that has, as
// Redis ZRANGESTORE. ranks says which range: it gets src and returns ranks [lo, hi), from 0 and without hi, as the methods of
// zset.View do that are called Interval.
//
//	n, err := e.RangeStore(ctx, "best", "arena", func(v *zset.View) (lo, hi int) {
//		return v.Reverse(zset.Limit(v.Reverse(v.ScoreInterval(low, high)), 0, 100))
//	})
//
// It is called under src's lock, perhaps more than once, must not keep the View, and gets ErrInTx from calls of the engine. A src that does not
// exist is empty. The rest is as for UnionStore. O(log n + r) for r members in the range and in dst; a range of more than about
// 64 KiB is taken from a copy of src, O(n log n).
func (e *Engine) RangeStore(ctx context.Context, dst, src string, ranks func(*zset.View) (lo, hi int)) (n int, err error) {
	ranks = e.insideOnly(ranks)
	return e.operateInto(ctx, dst, &operation{
		keys: []string{src},
		work: func(in []input) int {
			lo, hi := ranks(in[0].floats())
			return max(min(hi, in[0].len)-max(lo, 0), 0) * (in[0].Size()/max(in[0].len, 1) + 1)
		},
		make: func(in []input) (*zset.IntSet, error) { return in[0].CopyRange(ranks(in[0].floats())), nil },
	})
}

// insideOnly returns a function that runs f as in a closure: it is called with nothing locked too, when src is big.
func (e *Engine) insideOnly(f func(*zset.View) (lo, hi int)) func(*zset.View) (lo, hi int) {
	return func(v *zset.View) (lo, hi int) {
		if !e.InTx() {
			tx := &Tx{e: e}
			e.running.enter(tx)
			defer e.running.leave(tx)
		}
		return f(v)
	}
}

// Copy gives the key to a copy of the set of from, with its ties and its expiry, and returns how many members that has. What to had is
// dropped. As Redis COPY … REPLACE. ErrNoSet if from does not exist; the rest is as for UnionStore. O(n log n).
func (e *Engine) Copy(ctx context.Context, from, to string) (n int, err error) {
	return e.operateInto(ctx, to, &operation{
		keys:  []string{from},
		whole: true,
		work:  func(in []input) int { return in[0].Size() },
		make: func(in []input) (*zset.IntSet, error) {
			if in[0].len == 0 {
				return nil, fmt.Errorf("%w: %q", ErrNoSet, from)
			}
			return in[0].Copy(), nil
		},
	})
}

// expiry returns when the result vanishes: with the first input, if it is that one as a whole.
func (op *operation) expiry(was []instant) int64 {
	if !op.whole {
		return 0
	}
	return was[0].expires
}

// operateInto does a set operation and stores its result.
func (e *Engine) operateInto(ctx context.Context, dst string, op *operation) (n int, err error) {
	if err := refuse(dst); err != nil {
		return 0, err
	}
	for attempt := 1; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := e.operateIn(dst, op, attempt == storeAttempts)
		if !errors.Is(err, errBig) {
			return n, err
		}
		z, was, err := e.operate(ctx, op)
		if err != nil {
			return 0, err
		}
		still := func(instant) bool { return true }
		if i := slices.Index(op.keys, dst); i >= 0 {
			still = func(is instant) bool { return is == was[i] }
		}
		e.fit(z)
		n = z.Len() // from install on it is not ours
		if err = e.install(ctx, dst, z, op.expiry(was), digest{}, still); err == nil {
			return n, nil
		}
		if !errors.Is(err, errOvertaken) {
			return 0, err
		}
	}
}

// operateIn does it in one transaction, or returns errBig if that would take long and nobody says whatever.
func (e *Engine) operateIn(dst string, op *operation, whatever bool) (n int, err error) {
	err = e.Update(append([]string{dst}, op.keys...), func(tx *Tx) error {
		in, err := tx.inputs(op.keys)
		if err != nil {
			return err
		}
		to, err := tx.any(dst)
		if err != nil {
			return err
		}
		if !whatever && op.work(in)+to.view.Size() > e.pageWork {
			return errBig
		}
		z, was, err := op.result(in)
		if err != nil {
			return err
		}
		if !op.whole { // as in Redis a copy has the encoding of what it was made of
			e.fit(z)
		}
		n = z.Len()
		to.put(z, op.expiry(was), digest{})
		return nil
	})
	return n, err
}

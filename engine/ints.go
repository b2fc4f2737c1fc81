package engine

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/zset"
)

// CopyInts returns a copy of the set of a key, which has int64 scores and this form, as it was at one instant between call and
// return, and its LastSeq at that instant. The copy is the caller's own, and is not counted by Options.MemoryLimit; of a key without a
// set it is empty, and the number 0. Writers wait no longer than for Union. O(n log n). Errors: those of Tx.IntSet and of InterCard.
func (e *Engine) CopyInts(ctx context.Context, key string, f Form) (*zset.IntSet, uint64, error) {
	want := form{f, true}
	none, err := want.set()
	if err != nil {
		return nil, 0, err
	}
	var seq uint64
	op := &operation{
		keys:  []string{key},
		whole: true,
		work:  func(in []input) int { return in[0].Size() },
		make: func(in []input) (*zset.IntSet, error) {
			if in[0].len == 0 {
				return none, nil
			}
			if err := formOf(in[0].IntView).as(key, want); err != nil {
				return nil, err
			}
			if seq = in[0].seq; in[0].z != nil {
				return in[0].z, nil
			}
			return in[0].Copy(), nil
		},
	}
	z, _, err := e.operate(ctx, op)
	return z, seq, err
}

// StoreInts puts a set in place of the set of a key, whatever that had, form and expiry and all. It becomes visible at once, by one
// commit; if its entries take more than 4 MiB, many commits have written them by then, while the key had what it had before. An
// empty one leaves the key without a set. z must not be used any more, and must have been made with no other options than a Form
// has, but for thresholds, in whose place it gets the engine's. If ctx ends before, nothing has changed. O(n). Errors: ErrKind and ErrForm for another z, ErrReserved, those of Update, that of ctx.
func (e *Engine) StoreInts(ctx context.Context, key string, z *zset.IntSet) error {
	if err := refuse(key); err != nil {
		return err
	}
	return e.storeInts(ctx, key, z)
}

func (e *Engine) storeInts(ctx context.Context, key string, z *zset.IntSet) error {
	if f := formOf(z.View()); !f.ints {
		return fmt.Errorf("%w: what is to be %q was made with float64", ErrKind, key)
	} else if o := z.Options(); o.Cap != 0 {
		return fmt.Errorf("%w: what is to be %q with %+v", ErrForm, key, o)
	}
	if err := e.mayWait(); err != nil {
		return err
	}
	e.fit(z)
	var d digest
	if Reserved(key) {
		d = digest{digestOf(z.View()), true}
	}
	return e.install(ctx, key, z, 0, d, func(instant) bool { return true })
}

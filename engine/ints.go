package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/zset"
)

// ErrForm is returned by StoreInts for a set that was made with options that the engine does not keep.
var ErrForm = errors.New("engine: set was made with options that no Form has")

// copyInts is Engine.CopyInts.
func (o *operations) copyInts(ctx context.Context, key string, f Form) (*zset.IntSet, uint64, error) {
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
	z, _, err := o.operate(ctx, op)
	return z, seq, err
}

// storeInts is Engine.StoreInts, under reserved keys too.
func (o *operations) storeInts(ctx context.Context, key string, z *zset.IntSet) error {
	if f := formOf(z.View()); !f.ints {
		return fmt.Errorf("%w: what is to be %q was made with float64", ErrKind, key)
	} else if o := z.Options(); o.Cap != 0 {
		return fmt.Errorf("%w: what is to be %q with %+v", ErrForm, key, o)
	}
	if err := o.m.locks.mayWait(); err != nil {
		return err
	}
	o.m.keys.limits.fit(z)
	var d digest
	if Reserved(key) {
		d = digest{digestOf(z.View()), true}
	}
	return o.install(ctx, key, z, 0, d, func(instant) bool { return true })
}

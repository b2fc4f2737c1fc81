package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/zset"
)

// copyInts is Engine.CopyInts.
func (o *operations) copyInts(ctx context.Context, key string, f Form) (*zset.IntSet, uint64, error) {
	all, seqs, err := o.copyAll(ctx, []string{key}, []Form{f})
	if err != nil {
		return nil, 0, err
	}
	return all[0], seqs[0], nil
}

// copyAll is Owner.CopyAll. seqs are the last commits of the sets.
func (o *operations) copyAll(ctx context.Context, keys []string, forms []Form) (all []*zset.IntSet, seqs []uint64, err error) {
	op := &operation{
		keys:  keys,
		whole: true,
		work:  sizes,
		Make: func(in []input) (*zset.IntSet, error) {
			all, seqs = nil, nil
			for i := range in {
				z, err := in[i].copyAs(keys[i], forms[i].layout())
				if err != nil {
					return nil, err
				}
				all, seqs = append(all, z), append(seqs, in[i].seq)
			}
			return nil, nil
		},
	}
	_, _, err = o.operate(ctx, op)
	return all, seqs, err
}

// copyAs returns a copy of the input, which must have a layout; an empty set for one that does not exist.
func (i input) copyAs(key string, want facts.Layout) (*zset.IntSet, error) {
	if i.whole == 0 {
		return want.NewSet()
	}
	if err := facts.LayoutOf(i.IntView).Accepts(key, want); err != nil {
		return nil, err
	}
	if i.z != nil {
		return i.z, nil
	}
	return i.Copy(), nil
}

// storeInts is Engine.StoreInts, under reserved keys too.
func (o *operations) storeInts(ctx context.Context, key string, z *zset.IntSet) error {
	if f := facts.LayoutOf(z.View()); !f.Ints {
		return fmt.Errorf("%w: what is to be %q was made with float64", facts.ErrKind, key)
	} else if o := z.Options(); o.Cap != 0 {
		return fmt.Errorf("%w: what is to be %q with %+v", facts.ErrForm, key, o)
	}
	if err := o.m.locks.MayWait(); err != nil {
		return err
	}
	o.m.keys.Limits.Fit(z)
	var d facts.Digest
	if facts.Reserved(key) {
		d = facts.Digest{Sum: facts.DigestOf(z.View()), Known: true}
	}
	return o.install(ctx, key, z, 0, d, func(instant) bool { return true })
}

// storeFloats is Engine.StoreSet, for a set with float64 scores.
func (o *operations) storeFloats(ctx context.Context, key string, z *zset.IntSet, expires time.Time, absent bool) (done bool, err error) {
	if err := facts.RefuseForm(key, z); err != nil {
		return false, err
	}
	if err := o.m.locks.MayWait(); err != nil {
		return false, err
	}
	now, at := o.m.clock(), int64(0)
	switch {
	case expires.IsZero():
	case expires.After(facts.LastExpiry):
		return false, ErrTime
	case !now.Before(expires):
		if z, err = (facts.Layout{}).NewSet(); err != nil {
			return false, err
		}
	default:
		at = expires.UnixMilli()
	}
	o.m.keys.Limits.Fit(z)
	err = o.install(ctx, key, z, at, facts.Digest{}, func(old instant) bool {
		return !absent || old.s == nil || old.expires != 0 && old.expires <= now.UnixMilli()
	})
	if errors.Is(err, errOvertaken) {
		return false, nil
	}
	return err == nil, err
}

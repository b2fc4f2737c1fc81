package setops

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/zset"
)

// ErrForm is returned by StoreInts for a set that was made with options that the engine does not keep.
var ErrForm = errors.New("engine: set was made with options that no Form has")

// CopyInts is Engine.CopyInts.
func (o *Operations) CopyInts(ctx context.Context, key string, f facts.Form) (*zset.IntSet, uint64, error) {
	want := facts.Layout{Form: f, Ints: true}
	none, err := want.NewSet()
	if err != nil {
		return nil, 0, err
	}
	var seq uint64
	op := &operation{
		keys:  []string{key},
		whole: true,
		work:  func(in []Input) int { return in[0].Size() },
		Make: func(in []Input) (*zset.IntSet, error) {
			if in[0].Whole == 0 {
				return none, nil
			}
			if err := facts.LayoutOf(in[0].IntView).Accepts(key, want); err != nil {
				return nil, err
			}
			if seq = in[0].seq; in[0].z != nil {
				return in[0].z, nil
			}
			return in[0].Copy(), nil
		},
	}
	z, _, err := o.Operate(ctx, op)
	return z, seq, err
}

// StoreInts is Engine.StoreInts, under reserved keys too.
func (o *Operations) StoreInts(ctx context.Context, key string, z *zset.IntSet) error {
	if f := facts.LayoutOf(z.View()); !f.Ints {
		return fmt.Errorf("%w: what is to be %q was made with float64", facts.ErrKind, key)
	} else if o := z.Options(); o.Cap != 0 {
		return fmt.Errorf("%w: what is to be %q with %+v", ErrForm, key, o)
	}
	if err := o.m.Locks.MayWait(); err != nil {
		return err
	}
	o.m.Keys.Limits.Fit(z)
	var d facts.Digest
	if facts.Reserved(key) {
		d = facts.Digest{Sum: facts.DigestOf(z.View()), Known: true}
	}
	return o.Install(ctx, key, z, 0, d, func(Instant) bool { return true })
}

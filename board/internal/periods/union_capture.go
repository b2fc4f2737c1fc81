package periods

import (
	"context"
	"errors"
	"slices"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

const (
	// copyTries is the number of captures that are made beside writers before one is made with the sets locked.
	unionTries = 3
	// step is the number of entries of a closed period that are read at a time.
	step = 512
)

// capture is the rankings of a plan as they are at one instant.
type capture struct {
	c      *catalog.Catalog
	p      *plan
	keys   []string // of the sets that may change, in the order of their inputs
	forms  []engine.Form
	copies []*zset.IntSet // parallel to keys
}

// newCapture copies the rankings that may change. Errors: ErrAgain if a board has been migrated, or dropped; that of ctx; those of the engine.
func newCapture(ctx context.Context, c *catalog.Catalog, p *plan) (*capture, error) {
	x := &capture{c: c, p: p}
	for i := range p.inputs {
		if in := &p.inputs[i]; in.closed == nil {
			for _, key := range in.keys {
				x.keys, x.forms = append(x.keys, key), append(x.forms, in.st.Form)
			}
		}
	}
	err := x.copy(ctx)
	for i := range p.inputs {
		if in := &p.inputs[i]; in.fixed {
			c.Idle.NoteRead(p.now, in.keys...)
		}
		if err == nil && (p.inputs[i].b.CheckReadable(p.inputs[i].st) != nil || p.inputs[i].hasOtherSets()) {
			err = state.ErrAgain
		}
	}
	return x, err
}

// copy copies the rankings. If results were due in none of the rolling windows after the copies, and none has left during them, none was due
// when they were made.
func (x *capture) copy(ctx context.Context) (err error) {
	if len(x.keys) == 0 {
		return ctx.Err()
	}
	for range unionTries {
		raised, err := x.settle(ctx)
		if err != nil {
			return err
		}
		if x.copies, err = x.c.Owner.CopyAll(ctx, x.keys, x.forms); err != nil {
			return err
		}
		if !x.isDue() && slices.Equal(raised, x.raised()) {
			return nil
		}
	}
	for due := true; due && err == nil; {
		if _, err = x.settle(ctx); err != nil {
			return err
		}
		err = x.c.Engine.View(ctx, func(tx *engine.Tx) (err error) {
			if due = x.isDue(); !due {
				err = x.copyLocked(tx)
			}
			return errors.Join(err, ctx.Err())
		}, x.keys...)
	}
	return err
}

// largest returns the number of members of the largest ranking.
func (x *capture) largest() (n int) {
	for _, z := range x.copies {
		n = max(n, z.Len())
	}
	for i := range x.p.inputs {
		if r := x.p.inputs[i].closed; r != nil {
			n = max(n, r.Members)
		}
	}
	return n
}

// copyLocked copies the rankings in a transaction, which makes writers wait.
func (x *capture) copyLocked(tx *engine.Tx) error {
	x.copies = x.copies[:0]
	for i, key := range x.keys {
		set, err := tx.IntSet(key, x.forms[i])
		if err != nil {
			return err
		}
		x.copies = append(x.copies, set.Copy())
	}
	return nil
}

// settle removes what is due from rolling windows, and returns raised.
func (x *capture) settle(ctx context.Context) ([]uint64, error) {
	for i := range x.p.inputs {
		if in := &x.p.inputs[i]; rolling.IsRolling(in.t) {
			if err := rolling.Settle(ctx, in.b, in.st, in.t); err != nil {
				return nil, err
			}
		}
	}
	return x.raised(), nil
}

// raised returns how often something has left each of the rolling windows.
func (x *capture) raised() (list []uint64) {
	for i := range x.p.inputs {
		if in := &x.p.inputs[i]; rolling.IsRolling(in.t) {
			list = append(list, rolling.Raised(in.b, in.t))
		}
	}
	return list
}

// isDue reports whether something is due in one of the rolling windows.
func (x *capture) isDue() bool {
	return slices.ContainsFunc(x.p.inputs, func(in input) bool { return in.closed == nil && rolling.IsDue(in.b, in.t) })
}

// read calls yield for every entry of every input, input by input. Entries may be read until yield returns. Errors: ErrAgain if a closed period
// has been deleted meanwhile; that of ctx; those of the engine.
func (x *capture) read(ctx context.Context, yield func(in *input, e zset.IntEntry)) error {
	copies := x.copies
	for i := range x.p.inputs {
		in := &x.p.inputs[i]
		if in.closed != nil {
			if err := x.readClosed(ctx, in, yield); err != nil {
				return err
			}
			continue
		}
		for _, z := range copies[:len(in.keys)] {
			for e := range z.Entries(0, z.Len()) {
				yield(in, e)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		copies = copies[len(in.keys):]
	}
	return nil
}

// readClosed reads a closed period, some entries at a time.
func (x *capture) readClosed(ctx context.Context, in *input, yield func(in *input, e zset.IntEntry)) error {
	members := 0
	for _, key := range in.keys {
		for lo, n := 0, 1; lo < n; lo += step {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := x.c.Engine.View(ctx, func(tx *engine.Tx) error {
				set, err := tx.IntSet(key, in.st.Form)
				if err != nil {
					return err
				}
				for e := range set.Entries(lo, min(lo+step, set.Len())) {
					yield(in, e)
					members++
				}
				n = set.Len()
				return nil
			}, key)
			if err != nil {
				return err
			}
		}
	}
	if members != in.closed.Members {
		return state.ErrAgain
	}
	return nil
}

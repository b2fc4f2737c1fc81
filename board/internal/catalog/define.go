package catalog

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Define returns the board with spec.Name, and makes it if there is none; fill makes the rankings
// of a derived one. A derived one that is there keeps its windows if the spec names none. Errors:
// ErrSpec, ErrSpecChanged,
// ErrNoBoard, ErrNoGroups, those of the engine.
func (c *Catalog) Define(ctx context.Context, spec board.Spec, fill Fill) (*Board, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if err := c.CheckNotInTx(); err != nil {
		return nil, err
	}
	c.defining.Lock()
	defer c.defining.Unlock()
	b, lookup := c.Lookup(spec.Name)
	if lookup == nil && spec.Derived != nil && len(spec.Windows) == 0 {
		spec.Windows = b.State().Spec.Windows
	}
	spec, err := c.Complete(spec)
	if err != nil {
		return nil, err
	}
	if c.isIncoming(spec.Name) {
		return nil, fmt.Errorf("%w: %q", board.ErrIncoming, spec.Name)
	}
	if lookup == nil {
		if diff := spec.Differences(b.State().Spec); diff != nil {
			return nil, fmt.Errorf("%w: %q: %s", board.ErrSpecChanged, spec.Name, strings.Join(diff, "; "))
		}
		return b, nil
	}
	if !errors.Is(lookup, board.ErrNoBoard) {
		return nil, lookup
	}
	if spec.Derived != nil {
		return c.createDerived(ctx, spec, fill)
	}
	return c.create(ctx, spec, nil)
}

// Complete returns a valid spec with its defaults filled in, and that of a derived board with what it has from the board that it follows. Errors: ErrSpec,
// ErrNoBoard.
func (c *Catalog) Complete(spec board.Spec) (board.Spec, error) {
	if spec.Derived == nil {
		return spec.WithDefaults(), nil
	}
	source, err := c.Lookup(spec.Derived.From)
	if err != nil {
		return spec, err
	}
	if spec, err = spec.Complete(source.State().Spec); err != nil {
		return spec, err
	}
	return spec.WithDefaults(), nil
}

// create stores a new board. Unless fill is nil it is called before that, to store the rankings. The caller holds defining, and the spec has its defaults
// filled in.
func (c *Catalog) create(ctx context.Context, spec board.Spec, fill Fill) (*Board, error) {
	st, err := state.New(spec, 1)
	if err != nil {
		return nil, err
	}
	text, err := state.EncodeSpec(spec, 1)
	if err != nil {
		return nil, err
	}
	if err := c.Deleter.Resume(ctx, spec.Name); err != nil { // of a dropped board of the same name
		return nil, err
	}
	b := newBoard(&c.Env, st)
	if fill != nil {
		if err := fill(ctx, b); err != nil {
			return nil, err
		}
	}
	err = c.Owner.Update(ctx, nil, func(tx *engine.Tx) error {
		if err := tx.Put(boardkey.Spec(spec.Name), text); err != nil || b.following == nil {
			return err
		}
		return b.putSince(tx, true)
	})
	if err != nil {
		return nil, err
	}
	c.add(b)
	return b, nil
}

// Fill computes the rankings of a derived board from those of its source, and stores them. The boards that it follows are frozen.
type Fill func(ctx context.Context, b *Board) error

// createDerived stores a new derived board with the rankings that follow from its source. The caller holds defining.
func (c *Catalog) createDerived(ctx context.Context, spec board.Spec, fill Fill) (b *Board, err error) {
	source, err := c.Lookup(spec.Derived.From)
	if err != nil {
		return nil, err
	}
	groups, err := c.Groups(spec.Derived.Groups)
	if err != nil {
		return nil, err
	}
	defer groups.Hold()()
	defer source.FreezeChain()()
	if err := source.DrainChain(ctx); err != nil {
		return nil, err
	}
	if err := checkFollows(spec, source); err != nil { // a migration may have changed it since the spec was completed
		return nil, err
	}
	b, err = c.create(ctx, spec, func(ctx context.Context, b *Board) error {
		if b.following, err = c.follow(b.State()); err != nil {
			return err
		}
		return fill(ctx, b)
	})
	if err == nil {
		b.link()
	}
	return b, err
}

// Drop deletes a board. One commit deletes its spec and stores an intent; the rest follows. Errors: ErrNoBoard, ErrClosed, those of the
// engine.
func (c *Catalog) Drop(ctx context.Context, name string) error {
	if err := c.CheckNotInTx(); err != nil {
		return err
	}
	c.defining.Lock()
	defer c.defining.Unlock()
	b, err := c.LookupAny(name)
	if err != nil {
		return err
	}
	if err := b.checkFollowers(); err != nil {
		return err
	}
	defer b.FreezeChain()()
	if err := b.CheckWritable(b.State()); err != nil && err != state.ErrAgain && !errors.Is(err, board.ErrRelocated) {
		return err
	}
	st := b.State()
	err = c.Owner.Update(ctx, nil, func(tx *engine.Tx) error {
		if err := tx.Put(boardkey.Deletion(name, "", ""), nil); err != nil {
			return err
		}
		if err := tx.Delete(boardkey.Relocated(name)); err != nil {
			return err
		}
		return tx.Delete(boardkey.Spec(name))
	})
	if err != nil { // the board may be deleted all the same: see engine.ErrStalled
		if spec, unknown := c.Stored(boardkey.Spec(name)); unknown != nil || spec != nil {
			return err
		}
	}
	if b.following != nil {
		b.unlink() // before it is gone: who finds that it is gone finds no board of groups any more
	}
	b.setGone(fmt.Errorf("%w: %q", board.ErrNoBoard, name))
	c.remove(b)
	b.MakeHistoryStale()
	ctx = context.WithoutCancel(ctx)
	failed := b.DrainChain(ctx)
	if failed == nil {
		failed = c.Deleter.Finish(ctx, name, "", "", st.Keys()...)
	}
	if failed != nil {
		c.Log.Error("board: data of a dropped board is not deleted yet", "board", name, "err", failed)
	}
	return err
}

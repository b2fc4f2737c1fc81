package catalog

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// Define returns the board with spec.Name, and makes it if there is none. Errors: ErrSpec, ErrSpecChanged, those of the engine.
func (c *Catalog) Define(spec specs.Spec) (*Board, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if err := c.CheckNotInTx(); err != nil {
		return nil, err
	}
	spec = specs.WithDefaults(spec)
	c.defining.Lock()
	defer c.defining.Unlock()
	b, err := c.Lookup(spec.Name)
	if err == nil {
		if diff := spec.Differences(b.State().Spec); diff != nil {
			return nil, fmt.Errorf("%w: %q: %s", errs.ErrSpecChanged, spec.Name, strings.Join(diff, "; "))
		}
		return b, nil
	}
	if !errors.Is(err, errs.ErrNoBoard) {
		return nil, err
	}
	return c.create(spec)
}

// create stores a new board. The caller holds defining, and the spec has its defaults filled in.
func (c *Catalog) create(spec specs.Spec) (*Board, error) {
	st, err := state.New(spec, 1)
	if err != nil {
		return nil, err
	}
	text, err := specs.Encode(spec, 1)
	if err != nil {
		return nil, err
	}
	if err := c.Deleter.Resume(spec.Name); err != nil { // of a dropped board of the same name
		return nil, err
	}
	if err := c.Owner.Update(nil, func(tx *engine.Tx) error { return tx.Put(boardkey.Spec(spec.Name), text) }); err != nil {
		return nil, err
	}
	b := newBoard(&c.Env, st)
	c.add(b)
	return b, nil
}

// Drop deletes a board. One commit deletes its spec and stores an intent; the rest follows. Errors: ErrNoBoard, ErrClosed, those of the
// engine.
func (c *Catalog) Drop(name string) error {
	if err := c.CheckNotInTx(); err != nil {
		return err
	}
	c.defining.Lock()
	defer c.defining.Unlock()
	b, err := c.Lookup(name)
	if err != nil {
		return err
	}
	defer b.Freeze()()
	st, err := b.Readable()
	if err != nil {
		return err
	}
	err = c.Owner.Update(nil, func(tx *engine.Tx) error {
		if err := tx.Put(boardkey.Deletion(name, "", ""), nil); err != nil {
			return err
		}
		return tx.Delete(boardkey.Spec(name))
	})
	if err != nil { // the board may be deleted all the same: see engine.ErrStalled
		if spec, unknown := c.Stored(boardkey.Spec(name)); unknown != nil || spec != nil {
			return err
		}
	}
	b.dropped.Store(true)
	c.remove(b)
	if err := c.Deleter.Finish(name, "", "", st.Keys()...); err != nil {
		c.Log.Error("board: data of a dropped board is not deleted yet", "board", name, "err", err)
	}
	return err
}

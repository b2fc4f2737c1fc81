package board

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine"
)

// define returns the board with spec.Name, and makes it if there is none. Errors: ErrSpec, ErrSpecChanged, those of the engine.
func (c *catalog) define(spec Spec) (*core, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if err := c.checkOutside(); err != nil {
		return nil, err
	}
	spec = withDefaults(spec)
	c.defining.Lock()
	defer c.defining.Unlock()
	b, err := c.lookup(spec.Name)
	if err == nil {
		if diff := spec.Differences(b.state().spec); diff != nil {
			return nil, fmt.Errorf("%w: %q: %s", ErrSpecChanged, spec.Name, strings.Join(diff, "; "))
		}
		return b, nil
	}
	if !errors.Is(err, ErrNoBoard) {
		return nil, err
	}
	return c.create(spec)
}

// create stores a new board. The caller holds defining, and the spec has its defaults filled in.
func (c *catalog) create(spec Spec) (*core, error) {
	st, err := newState(spec, 1)
	if err != nil {
		return nil, err
	}
	text, err := encodeSpec(spec, 1)
	if err != nil {
		return nil, err
	}
	if err := c.deleter.resume(spec.Name); err != nil { // of a dropped board of the same name
		return nil, err
	}
	if err := c.owner.Update(nil, func(tx *engine.Tx) error { return tx.Put(specKey(spec.Name), text) }); err != nil {
		return nil, err
	}
	b := newCore(c, st)
	c.add(b)
	return b, nil
}

// drop deletes a board. One commit deletes its spec and stores an intent; the rest follows. Errors: ErrNoBoard, ErrClosed, those of the
// engine.
func (c *catalog) drop(name string) error {
	if err := c.checkOutside(); err != nil {
		return err
	}
	c.defining.Lock()
	defer c.defining.Unlock()
	b, err := c.lookup(name)
	if err != nil {
		return err
	}
	defer b.freeze()()
	st, err := b.readable()
	if err != nil {
		return err
	}
	err = c.owner.Update(nil, func(tx *engine.Tx) error {
		if err := tx.Put(deletionKey(name, "", ""), nil); err != nil {
			return err
		}
		return tx.Delete(specKey(name))
	})
	if err != nil {
		if spec, unknown := c.stored(specKey(name)); unknown != nil || spec != nil {
			return err
		}
	}
	b.dropped.Store(true)
	c.remove(b)
	if err := c.deleter.finish(name, "", "", st.keys()...); err != nil {
		c.log.Error("board: what is left of a board that was dropped stays for now", "board", name, "err", err)
	}
	return err
}

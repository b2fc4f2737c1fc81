package groups

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Change is a change of a kind, which Update makes in a transaction of its own, and In in one of the caller's.
type Change struct {
	ready func() error              // waits for what the change would find in its way. Errors: ErrAgain, engine.ErrInTx if it would have to wait in a transaction
	do    func(tx *engine.Tx) error // makes the change. Errors: ErrAgain, or one of catalog.IsMoved, if it has found something in its way
}

// Update makes a change in a transaction of its own. Errors: those of the change, ErrClosed, engine.ErrInTx, those of the engine.
func (k *Kind) Update(ctx context.Context, c Change) error {
	if err := k.c.CheckNotInTx(); err != nil {
		return err
	}
	for {
		err := c.ready()
		if err == nil {
			err = k.c.Owner.Update(ctx, nil, c.do)
		}
		found := err
		for _, b := range k.g.Boards() {
			if found == nil {
				b.MakeDue()
			} else if more := place.Unblock(ctx, found, b, b.State(), b.State().OpenPeriods, 1); more != found {
				err = more
			}
		}
		switch {
		case errors.Is(err, engine.ErrClosed):
			return state.ErrEngineClosed
		case err != state.ErrAgain && !catalog.IsMoved(err):
			return err
		}
	}
}

// InTx is a kind in a transaction of the caller's.
type InTx struct {
	k  *Kind
	tx *engine.Tx
}

// In returns the kind in a transaction of the caller's.
func (k *Kind) In(tx *engine.Tx) InTx { return InTx{k, tx} }

// Make makes a change. Errors: those of the change, engine.ErrRestart, those of the engine. With a *board.ScoreError the transaction ends.
func (t InTx) Make(c Change) error {
	return t.locked(func(*engine.Tx) ([]string, error) { return nil, c.ready() }, func() error {
		err := c.do(t.tx)
		noted := err
		for _, b := range t.k.g.Boards() {
			noted = place.NoteShort(err, b, b.State(), b.State().OpenPeriods)
		}
		if noted != err {
			return noted
		}
		if refused := new(board.ScoreError); errors.As(err, &refused) {
			return t.k.c.End(t.tx, err)
		}
		return err
	})
}

// locked makes a call that may change reserved keys with its keys locked.
func (t InTx) locked(keys func(*engine.Tx) ([]string, error), call func() error) error {
	return t.k.c.In(t.tx, func() ([]string, error) { return keys(t.tx) }, func() error { return t.k.c.Owner.In(t.tx, call) })
}

// ready returns an error unless the kind may be changed. In no transaction it waits for those who hold the kind, and for migrations. Errors: ErrAgain, ErrClosed,
// engine.ErrInTx if it would have to wait.
func (k *Kind) ready() error {
	if err := k.c.CheckOpen(); err != nil {
		return err
	}
	if k.c.CheckNotInTx() == nil {
		k.g.WaitForHold()
	}
	for _, b := range k.g.Boards() {
		_, err := b.Writable()
		if err == nil {
			_, err = b.Following().Source.Writable()
		}
		switch {
		case errors.Is(err, board.ErrNoBoard): // it has been dropped meanwhile
			return state.ErrAgain
		case err != nil:
			return err
		}
	}
	return nil
}

// sources returns the open periods in which derived boards follow the members of such groups.
func (k *Kind) sources() (all []Source) {
	for _, b := range k.g.Boards() {
		all = append(all, Sources(b)...)
	}
	return all
}

// prepare is ready. Unless the caller is in a transaction, it also waits for what moves entries
// between sets, and makes room in those of derived boards.
func (k *Kind) prepare() error {
	if err := k.ready(); err != nil || k.c.CheckNotInTx() != nil {
		return err
	}
	for _, x := range k.sources() {
		x.WaitForSteps()
	}
	for _, b := range k.g.Boards() {
		st := b.State()
		if err := place.Prepare(context.Background(), b, st, st.OpenPeriods); err != nil {
			return err
		}
	}
	return nil
}
